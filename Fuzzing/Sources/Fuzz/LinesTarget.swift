import FoundationEssentials
import HTTPCore
import HTTPFormats

extension FuzzTarget {
    /// The lines are the bytes between line feeds, and JSON lines and JSON sequences are the same
    /// values, regardless of the division of the bytes.
    static let lines = Self("lines") { bytes in
        let expected = plainLines(bytes)
        let values = jsonLines(Pieces(pieces: [bytes]))
        let texts = [false, true].map { jsonSequence(Pieces(pieces: [bytes]), skipping: $0) }
        let limited = lines(Pieces(pieces: [bytes]), upTo: 9)
        for pieces in bytes.cuts {
            let read = lines(pieces, upTo: HTTPBody.defaultLimit)
            require(read == LinesRead(lines: expected), "the lines are \(read), not \(expected)")
            require(jsonLines(pieces) == values, "JSON lines depend on how they are cut")
            require(
                [false, true].map { jsonSequence(pieces, skipping: $0) } == texts,
                "JSON sequences depend on how they are cut")
            require(lines(pieces, upTo: 9) == limited, "a limit depends on the division of lines")
        }
        require(!texts[1].contains(.string("failed")), "a malformed text is not skipped")
        require(expected.starts(with: limited.lines), "a limit changes lines before it")
        require(limited.lines.allSatisfy { $0.utf8.count <= 27 }, "a limit is exceeded")
    }

    private static func plainLines(_ bytes: Data) -> [String] {
        let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let last = lines.removeLast()
        let ended = lines.map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
        return (ended + (last.isEmpty ? [] : [last])).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func lines(_ pieces: Pieces, upTo limit: Int) -> LinesRead {
        waiting {
            var read = LinesRead()
            do {
                for try await line in HTTPBody(pieces).lines(upTo: limit) {
                    read.lines.append(line)
                }
            } catch { read.failure = (error as? HTTPError)?.code }
            return read
        }
    }

    private static func jsonLines(_ pieces: Pieces) -> [HTTPJSON] {
        waiting {
            var values: [HTTPJSON] = []
            do {
                for try await value in HTTPBody(pieces).jsonLines(of: HTTPJSON.self) {
                    values.append(value)
                }
            } catch { values.append(.string("failed")) }
            return values
        }
    }

    private static func jsonSequence(_ pieces: Pieces, skipping: Bool) -> [HTTPJSON] {
        waiting {
            var values: [HTTPJSON] = []
            do {
                let sequence = HTTPBody(pieces).jsonSequence(
                    of: HTTPJSON.self, skippingMalformed: skipping)
                for try await value in sequence { values.append(value) }
            } catch { values.append(.string("failed")) }
            return values
        }
    }
}

private struct LinesRead: Equatable {
    var lines: [String] = []
    var failure: HTTPError.Code?
}
