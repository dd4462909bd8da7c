import FoundationEssentials
import HTTPCore
import HTTPFormats

extension FuzzTarget {
    /// The input is a body with the boundary `b`, and the division of its bytes has no effect. Then
    /// the input is the content of a form, which reads back equal after it is written.
    static let multipart = Self("multipart") { bytes in
        for limit in [64 << 10, 32] {
            let whole = PartsRead(Pieces(pieces: [bytes]), headLimit: limit)
            let byteCount = whole.parts.reduce(0) { $0 + $1.bytes.count }
            require(byteCount <= bytes.count, "parts are longer than the body")
            for pieces in bytes.cuts {
                let read = PartsRead(pieces, headLimit: limit)
                require(read == whole, "the parts are \(read), in one piece \(whole)")
            }
            let iterated = PartsRead(body: HTTPBody(bytes.cuts.last ?? Pieces(pieces: [])), limit)
            require(iterated == whole, "a body's parts are \(iterated), not \(whole)")
        }
        for part in PartsRead(Pieces(pieces: [bytes]), headLimit: 64 << 10).parts {
            let part = MultipartPart(headers: part.headers)
            _ = (part.name, part.filename)
        }
        checkForm(bytes)
    }

    private static func checkForm(_ bytes: Data) {
        let boundary = "form-\(bytes.hash)"
        var fields: [(name: String, bytes: Data)] = []
        for field in bytes.split(separator: 0x1E, maxSplits: 8) {
            let parts = field.split(separator: 0x1F, maxSplits: 1)
            // Other control characters are written as browsers write them, but no header field may
            // contain them.
            guard parts.count == 2,
                parts[0].allSatisfy({ $0 >= 0x20 && $0 != 0x7F || "\t\r\n".utf8.contains($0) })
            else { continue }
            fields.append((parts[0].text, parts[1]))
        }
        do {
            var form = try MultipartForm(boundary: boundary)
            for field in fields {
                try form.add(field.bytes, name: field.name, filename: field.name)
            }
            let body = form.body
            let length = form.length
            let written = waiting {
                var written = Data()
                do {
                    for try await piece in body { written += piece }
                } catch { fatalError("broken: \(error)") }
                return written
            }
            require(length == Int64(written.count), "a form's length is not exact")
            let read = PartsRead(
                Pieces(pieces: [written]), headLimit: 1 << 20, boundary: boundary)
            require(read.failure == nil, "a form cannot be read: \(read)")
            require(read.parts.map(\.bytes) == fields.map(\.bytes), "a form reads differently")
            // Browsers write a `%` and a `\` of a name unescaped, so they can be read in two ways.
            for (part, field) in zip(read.parts, fields)
            where !field.name.utf8.contains(where: "%\\\r\n".utf8.contains) {
                let part = MultipartPart(headers: part.headers)
                requireSame(part.name ?? "<none>", field.name, "a field's name")
                requireSame(part.filename ?? "<none>", field.name, "a file's name")
            }
        } catch { fatalError("broken: a form is refused: \(error)") }
    }
}

private struct PartsRead: Equatable {
    struct Part: Equatable {
        var headers: HTTPHeaders
        var bytes = Data()
    }

    var parts: [Part] = []
    var failure: HTTPError.Code?

    init(_ pieces: Pieces, headLimit: Int, boundary: String = "b") {
        var parser = MultipartParser(boundary: boundary, headLimit: headLimit)
        var isOpen = false
        do throws(HTTPError) {
            for piece in pieces.pieces {
                parser.append(piece)
                while let event = try parser.next() {
                    switch event {
                    case .head(let headers):
                        require(!isOpen, "a part begins within a part")
                        isOpen = true
                        parts.append(Part(headers: headers))
                    case .bytes(let bytes):
                        require(isOpen && !bytes.isEmpty, "bytes outside a part, or no bytes")
                        parts[parts.count - 1].bytes += bytes
                    case .end:
                        require(isOpen, "a part ends but has not begun")
                        isOpen = false
                    }
                }
            }
            try parser.finish()
            require(!isOpen, "the body is complete, but its last part is not")
        } catch { failure = error.code }
    }

    init(body: HTTPBody, _ headLimit: Int) {
        self = waiting {
            var read = Self()
            do {
                for try await part in body.parts(boundary: "b", headLimit: headLimit) {
                    read.parts.append(Part(headers: part.headers))
                    for try await bytes in part.body {
                        read.parts[read.parts.count - 1].bytes += bytes
                    }
                }
            } catch { read.failure = (error as? HTTPError)?.code }
            return read
        }
    }

    private init() {}

}
