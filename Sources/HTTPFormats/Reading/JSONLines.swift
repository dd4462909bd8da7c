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
    ) -> HTTPDecodedSequence<Value> {
        let decoder = PieceDecoder(decoder)
        return HTTPDecodedSequence { JSONLineReader(self, decoder, limit: limit) }
    }
}

private struct JSONLineReader<Value: Decodable & Sendable>: HTTPValueReader {
    private var lines: LineIterator
    private let decoder: PieceDecoder
    private var number = 0

    init(_ body: HTTPBody, _ decoder: PieceDecoder, limit: Int) {
        lines = LineIterator(body, limit: limit, of: decoder.request)
        self.decoder = decoder
    }

    mutating func next() async throws -> Value? {
        repeat {
            while let line = try lines.takeLine() {
                number += 1
                if !line.allSatisfy(\.isJSONBlank) { return try value(of: line) }
            }
        } while try await lines.fetch(isolation: nil)
        return nil
    }

    private func value(of line: ArraySlice<UInt8>) throws(HTTPError) -> Value {
        try decoder.value(Value.self, of: line, named: "line \(number) of the body")
    }
}

extension HTTPResponse {
    /// Returns the body as JSON Lines. See ``HTTPBody/jsonLines(of:decoder:upTo:)``. The type of
    /// the content is not checked, because none is registered.
    public func jsonLines<Value: Decodable & Sendable>(
        of type: Value.Type, decoder: JSONDecoder? = nil, upTo limit: Int = HTTPBody.defaultLimit
    ) -> HTTPDecodedSequence<Value> {
        let (body, decoder) = (body, PieceDecoder(decoder, for: originalRequest))
        return HTTPDecodedSequence { JSONLineReader(body, decoder, limit: limit) }
    }
}

extension UInt8 {
    /// `true` for insignificant whitespace (RFC 8259 §2).
    var isJSONBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
