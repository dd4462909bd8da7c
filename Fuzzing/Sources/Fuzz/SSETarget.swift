import FoundationEssentials
import HTTPCore
import HTTPFormats

extension FuzzTarget {
    /// The events are those of the algorithm in the HTML Standard, regardless of the division of
    /// the bytes, and both from the parser and from the body.
    static let sse = Self("sse") { bytes in
        let expected = EventStream(ofStandard: bytes)
        for pieces in bytes.cuts {
            let read = EventStream(pieces, limit: HTTPBody.defaultLimit)
            require(read == expected, "the events are \(read), but the standard's \(expected)")
        }
        let limited = bytes.cuts.map { EventStream($0, limit: 24) }
        for stream in limited {
            require(stream == limited[0], "under a limit: \(stream), in one piece \(limited[0])")
            require(
                expected.events.starts(with: stream.events), "a limit changes events before it")
            // A byte that is not valid UTF-8 becomes three bytes.
            require(stream.events.allSatisfy { $0.data.utf8.count <= 3 * 24 }, "limit exceeded")
        }
        let iterated = waiting {
            var events: [ServerSentEvent] = []
            do {
                for try await event in HTTPBody(bytes.cuts[0]).serverSentEvents {
                    events.append(event)
                }
            } catch { fatalError("broken: \(error)") }
            return events
        }
        require(iterated == expected.events, "a body's events are \(iterated)")
    }
}

private struct EventStream: Equatable {
    var events: [ServerSentEvent] = []
    var lastEventID = ""
    var reconnectionTime: Duration?
    var failure: HTTPError.Code?

    init(_ pieces: Pieces, limit: Int) {
        var parser = ServerSentEventParser(upTo: limit)
        do throws(HTTPError) {
            for piece in pieces.pieces {
                parser.append(piece)
                while let event = try parser.next() { events.append(event) }
            }
        } catch { failure = error.code }
        lastEventID = parser.lastEventID
        reconnectionTime = parser.reconnectionTime
    }

    /// The algorithm of HTML Standard §9.2.6 in its simplest form.
    init(ofStandard bytes: Data) {
        var text = bytes.text.unicodeScalars[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst() }
        var (data, type, id) = ("", "", "")
        var line = ""
        var previous: Unicode.Scalar?
        for scalar in text {
            defer { previous = scalar }
            guard scalar == "\n" || scalar == "\r" else {
                line.unicodeScalars.append(scalar)
                continue
            }
            if scalar == "\n", previous == "\r" { continue }
            defer { line = "" }
            if line.isEmpty {
                lastEventID = id
                if !data.isEmpty {
                    data.unicodeScalars.removeLast()
                    events.append(
                        ServerSentEvent(
                            type: type.isEmpty ? "message" : type, data: data, lastEventID: id))
                }
                (data, type) = ("", "")
                continue
            }
            let parts = line.unicodeScalars.split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            var value = parts.dropFirst().first ?? Substring().unicodeScalars
            if value.first == " " { value = value.dropFirst() }
            switch String(String.UnicodeScalarView(parts[0])) {
            case "data":
                data.unicodeScalars.append(contentsOf: value)
                data.unicodeScalars.append("\n")
            case "event": type = String(String.UnicodeScalarView(value))
            case "id": if !value.contains("\0") { id = String(String.UnicodeScalarView(value)) }
            case "retry":
                if !value.isEmpty, value.allSatisfy({ ("0"..."9").contains($0) }) {
                    let number = String(String.UnicodeScalarView(value))
                    reconnectionTime = .milliseconds(Int64(number) ?? .max)
                }
            default: break
            }
        }
    }
}
