public import HTTPCore
public import PortableFoundation

extension HTTPBody {
    /// Returns the body as a JSON text sequence (RFC 7464, `application/json-seq`): one value for
    /// each text, as soon as the text has arrived.
    ///
    /// A text begins with RS (0x1E), may span lines, and ends with LF. An array, an object or a
    /// string may lack the LF. A number, `true`, `false` or `null` may not, because the rest may
    /// have been cut off (§2.4). Several RS in a row count as one, and a byte order mark at the
    /// start of the body is dropped.
    ///
    /// At the first text that is not such a value, and at bytes that belong to no text, reading
    /// throws `decodingFailed`, which names the text, and then ends.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder of the texts; `nil` for a plain one.
    ///   - limit: The maximum length of a text in bytes. Reading throws `bodyTooLarge` beyond it.
    ///   - skippingMalformed: `true` to skip what is not JSON or may have been cut off, up to the
    ///     next RS (§2.3), for sequences whose writer may crash and continue, such as a log. JSON
    ///     that is no `Value` still throws.
    public func jsonSequence<Value: Decodable & Sendable>(
        of type: Value.Type, decoder: JSONDecoder? = nil, upTo limit: Int = defaultLimit,
        skippingMalformed: Bool = false
    ) -> HTTPDecodedSequence<Value> {
        let decoder = PieceDecoder(decoder)
        return HTTPDecodedSequence {
            JSONTextReader(self, decoder, limit: limit, skipsMalformed: skippingMalformed)
        }
    }
}

private struct JSONTextReader<Value: Decodable & Sendable>: HTTPValueReader {
    private var bytes: HTTPBody.AsyncIterator?
    private var texts: JSONTextSplitter
    private let decoder: PieceDecoder
    private let skipsMalformed: Bool
    /// The number of texts that were read.
    private var number = 0

    init(_ body: HTTPBody, _ decoder: PieceDecoder, limit: Int, skipsMalformed: Bool) {
        bytes = body.makeAsyncIterator()
        texts = JSONTextSplitter(limit: limit)
        self.decoder = decoder
        self.skipsMalformed = skipsMalformed
    }

    mutating func next() async throws -> Value? {
        do {
            while bytes != nil {
                if let value = try takeValue() { return value }
                guard let piece = try await bytes?.next() else {
                    bytes = nil
                    return try takeLast()
                }
                texts.append(piece)
            }
            return nil
        } catch {
            throw decoder.request.naming(error)
        }
    }

    /// Returns the next value, or `nil` if more bytes are needed.
    private mutating func takeValue() throws(HTTPError) -> Value? {
        while let piece = try texts.next() {
            if let value = try value(of: piece) { return value }
        }
        return nil
    }

    private mutating func takeLast() throws(HTTPError) -> Value? {
        guard let piece = try texts.last() else { return nil }
        return try value(of: piece)
    }

    /// Returns `nil` if the piece is skipped.
    private mutating func value(
        of piece: JSONTextSplitter.Piece
    ) throws(HTTPError) -> Value? {
        switch piece {
        case .text(let range):
            number += 1
            let text = texts.bytes[range]
            do throws(HTTPError) {
                return try decoder.value(
                    Value.self, of: text, named: "text \(number) of the JSON sequence")
            } catch {
                if skipsMalformed, (try? HTTPJSON(parsing: text)) == nil { return nil }
                throw error
            }
        case .cut:
            number += 1
            if skipsMalformed { return nil }
            throw HTTPError.malformedPiece(
                "text \(number) of the JSON sequence may have been cut off: only white "
                    + "space ends a number, true, false or null")
        case .stray:
            if skipsMalformed { return nil }
            throw HTTPError.malformedPiece(
                number == 0
                    ? "the body is not a JSON sequence: it does not begin with RS (0x1E)"
                    : "text \(number) of the JSON sequence is followed by more than white "
                        + "space: the next text must begin with RS (0x1E)")
        }
    }
}

extension HTTPResponse {
    /// Returns the body as a JSON text sequence. See
    /// ``HTTPBody/jsonSequence(of:decoder:upTo:skippingMalformed:)``. The type of the content is
    /// not checked: a body that is no such sequence throws when it is read.
    public func jsonSequence<Value: Decodable & Sendable>(
        of type: Value.Type, decoder: JSONDecoder? = nil,
        upTo limit: Int = HTTPBody.defaultLimit, skippingMalformed: Bool = false
    ) -> HTTPDecodedSequence<Value> {
        let (body, decoder) = (body, PieceDecoder(decoder, for: originalRequest))
        return HTTPDecodedSequence {
            JSONTextReader(body, decoder, limit: limit, skipsMalformed: skippingMalformed)
        }
    }
}
