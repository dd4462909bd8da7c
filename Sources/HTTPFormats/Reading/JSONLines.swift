public import HTTPCore
public import PortableFoundation

extension HTTPBody {
    /// Returns the body as JSON Lines (newline-delimited JSON): one value per line, as soon as it
    /// has arrived.
    ///
    /// Lines end as in ``lines``; empty lines are skipped. At the first line that is not such a
    /// value, reading throws `decodingFailed`, which names the line, and then ends.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder of the lines; `nil` for a plain one.
    ///   - limit: The maximum length of a line in bytes. Reading throws `bodyTooLarge` beyond it.
    public func jsonLines<Value: Decodable & Sendable>(
        of type: Value.Type, decoder: JSONDecoder? = nil, upTo limit: Int = defaultLimit
    ) -> JSONLines<Value> {
        JSONLines(body: self, decoder: PieceDecoder(decoder), limit: limit)
    }

    /// A sequence of the values in a body of JSON Lines. See
    /// ``HTTPBody/jsonLines(of:decoder:upTo:)``. Iterating reads the body; a stream can be read
    /// only once.
    public struct JSONLines<Value: Decodable & Sendable>: AsyncSequence, Sendable {
        fileprivate let body: HTTPBody
        fileprivate let decoder: PieceDecoder
        fileprivate let limit: Int

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(
                lines: LineIterator(body, limit: limit, of: decoder.request), decoder: decoder)
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            private var lines: LineIterator
            private let decoder: PieceDecoder
            private var number = 0

            fileprivate init(lines: LineIterator, decoder: PieceDecoder) {
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

            private mutating func value(of line: ArraySlice<UInt8>) throws(HTTPError) -> Value {
                do throws(HTTPError) {
                    return try decoder.value(
                        Value.self, of: line, named: "line \(number) of the body")
                } catch {
                    lines.stop()
                    throw error
                }
            }
        }
    }
}

extension HTTPResponse {
    /// Returns the body as JSON Lines. See ``HTTPBody/jsonLines(of:decoder:upTo:)``. The type of
    /// the content is not checked, because none is registered.
    public func jsonLines<Value: Decodable & Sendable>(
        of type: Value.Type, decoder: JSONDecoder? = nil, upTo limit: Int = HTTPBody.defaultLimit
    ) -> HTTPBody.JSONLines<Value> {
        HTTPBody.JSONLines(
            body: body, decoder: PieceDecoder(decoder, for: originalRequest), limit: limit)
    }
}

extension UInt8 {
    /// `true` for insignificant whitespace (RFC 8259 §2).
    var isJSONBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
