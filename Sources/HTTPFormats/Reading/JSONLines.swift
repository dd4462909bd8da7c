public import HTTPCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension HTTPBody {
    /// Returns the body as JSON Lines (newline-delimited JSON): one value per line, as soon as it
    /// has arrived.
    ///
    /// Lines end as in ``lines``; empty lines are skipped. At the first line that is not such a
    /// value, reading throws `decodingFailed`, which names the line, and then ends.
    ///
    /// - Parameter limit: The maximum length of a line in bytes. Reading throws `bodyTooLarge`
    ///   beyond it.
    public func jsonLines<Value: Decodable & Sendable>(
        of type: Value.Type, decoder: JSONDecoder = JSONDecoder(), upTo limit: Int = defaultLimit
    ) -> JSONLines<Value> {
        JSONLines(body: self, decoder: decoder, limit: limit)
    }

    /// The body as JSON Lines of any shape. See ``jsonLines(of:decoder:upTo:)``.
    package var jsonLines: JSONLines<HTTPJSON> { jsonLines(of: HTTPJSON.self) }

    /// A sequence of the values in a body of JSON Lines. See
    /// ``HTTPBody/jsonLines(of:decoder:upTo:)``. Iterating reads the body; a stream can be read
    /// only once.
    public struct JSONLines<Value: Decodable & Sendable>: AsyncSequence, Sendable {
        fileprivate let body: HTTPBody
        fileprivate let decoder: JSONDecoder
        fileprivate let limit: Int

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(lines: LineIterator(body, limit: limit), decoder: decoder)
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            private var lines: LineIterator
            private let decoder: JSONDecoder
            private var number = 0

            fileprivate init(lines: LineIterator, decoder: JSONDecoder) {
                self.lines = lines
                self.decoder = decoder
            }

            public mutating func next() async throws -> Value? {
                try await next(isolation: nil)
            }

            /// Returns the next value. Runs in the caller's isolation, whatever is passed.
            public nonisolated(nonsending) mutating func next(
                isolation actor: (any Actor)?
            ) async throws -> Value? {
                repeat {
                    while let line = try lines.takeLine() {
                        number += 1
                        if !line.allSatisfy(\.isJSONBlank) { return try value(of: line) }
                    }
                } while try await lines.fetch(isolation: actor)
                return nil
            }

            private mutating func value(of line: ArraySlice<UInt8>) throws -> Value {
                do {
                    // Parsed without a decoder, so that numbers stay exact.
                    if Value.self == HTTPJSON.self,
                        let value = try HTTPJSON(parsing: line) as? Value
                    {
                        return value
                    }
                    return try decoder.decode(Value.self, from: Data(line))
                } catch {
                    lines.stop()
                    throw HTTPError(
                        .decodingFailed,
                        "line \(number) of the body is not a valid \(Value.self)"
                            + error.decodingClause,
                        phase: .receiving, mayHaveReachedServer: true, underlyingError: error)
                }
            }
        }
    }
}

extension UInt8 {
    /// `true` for insignificant whitespace (RFC 8259 §2).
    var isJSONBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
