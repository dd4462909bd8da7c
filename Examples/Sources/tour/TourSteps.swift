import HTTPCore
import HTTPTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension TourStep {
    static let all: [TourStep] = [
        getAndDecode, postJSON, putFile, download, cancel, status, redirect, refused, timeout, drip,
    ]

    /// The server's description of a request.
    private struct Described: Decodable { var method: String, target: String }

    private static let getAndDecode = TourStep(
        title: "GET, JSON decoded", expected: "200, GET /get?n=1"
    ) { visit in
        let response = try await visit.session.response(for: try visit.request(.get, "/get?n=1"))
        let bytes = try await response.data()
        let described = try JSONDecoder().decode(Described.self, from: bytes)
        return (
            "\(response.status.code), \(described.method) \(described.target)", Int64(bytes.count)
        )
    }

    private struct Note: Codable, Equatable { var text: String, number: Int }

    private static let postJSON = TourStep(
        title: "POST of JSON, echoed", expected: "200, application/json, the same note"
    ) { visit in
        let note = Note(text: "Grüße, \"世界\"", number: 42)
        var request = try visit.request(.post, "/echo")
        request.body = HTTPBody(try JSONEncoder().encode(note))
        try request.headers.set(.contentType, "application/json")
        let response = try await visit.session.response(for: request)
        let bytes = try await response.data()
        let isSame = try JSONDecoder().decode(Note.self, from: bytes) == note
        let type = response.headers[.contentType] ?? "no type"
        return (
            "\(response.status.code), \(type), \(isSame ? "the same note" : "another note")",
            Int64(bytes.count)
        )
    }

    private static let putFile = TourStep(
        title: "PUT of an 8 MiB file, echoed", expected: "200, 8388608 bytes, content verified"
    ) { visit in
        let period = Data(LoopbackPattern.bytes(0..<64 << 10))
        var content = Data()
        while content.count < 8 << 20 { content.append(period) }
        let file = try TemporaryFile(content)
        var request = try visit.request(.put, "/echo")
        request.body = try HTTPBody(file: file.path)
        return try await verified(try await visit.session.response(for: request))
    }

    private static let download = TourStep(
        title: "64 MiB download, streamed", expected: "200, 67108864 bytes, content verified"
    ) { visit in
        let response = try await visit.session.response(
            for: try visit.request(.get, "/bytes/\(64 << 20)"))
        return try await verified(response) { count in
            StandardStreams.tell("\(visit.transport): 64 MiB download, \(count >> 20) MiB received")
        }
    }

    private static let cancel = TourStep(
        title: "download cancelled half-way", expected: "cancelled, the next request: 200",
        time: 0...5
    ) { visit in
        let whole: Int64 = 16 << 20  // at 8 MiB/s: two seconds
        let request = try visit.request(.get, "/bytes/\(whole)?rate=\(8 << 20)")
        let (halfWay, signal) = AsyncStream.makeStream(of: Void.self)
        let reading = Task {
            defer { signal.finish() }
            var count: Int64 = 0
            for try await piece in try await visit.session.response(for: request).body {
                count += Int64(piece.count)
                if count >= whole / 2 { signal.finish() }
            }
            return count
        }
        for await _ in halfWay {}
        reading.cancel()
        let ending =
            switch await reading.result {
            case .success(let count): "\(count) bytes in spite of the cancellation"
            case .failure(let error): text(of: error)
            }
        let next = try await visit.session.response(for: try visit.request(.get, "/get"))
        await next.discard()
        return ("\(ending), the next request: \(next.status.code)", 0)
    }

    private static let status = TourStep(
        title: "an error status", expected: "404 Not Found, 0 bytes"
    ) { visit in
        let response = try await visit.session.response(for: try visit.request(.get, "/status/404"))
        let bytes = try await response.data()
        return ("\(response.status), \(bytes.count) bytes", Int64(bytes.count))
    }

    private static let redirect = TourStep(
        title: "a redirect, not followed", expected: "302 Found, Location: /get"
    ) { visit in
        let response = try await visit.session.response(for: try visit.request(.get, "/redirect/1"))
        let bytes = try await response.data()
        return (
            "\(response.status), Location: \(response.headers[.location] ?? "none")",
            Int64(bytes.count)
        )
    }

    private static let refused = TourStep(
        title: "a refused connection", expected: "cannotConnect", time: 0...1
    ) { visit in
        let port = try ClosedPort()
        let response = try await visit.session.response(for: "http://127.0.0.1:\(port.number)/")
        return ("\(response.status)", 0)
    }

    private static let timeout = TourStep(
        title: "no response, deadline of 0.5 s", expected: "timedOut, deadline", time: 0.4...1.5
    ) { visit in
        let request = try visit.request(.get, "/stall").deadline(in: .milliseconds(500))
        return ("\(try await visit.session.response(for: request).status)", 0)
    }

    private static let drip = TourStep(
        title: "body drips 10 s, deadline of 2 s", expected: "200, then timedOut, deadline",
        time: 1.9...3
    ) { visit in
        let request = try visit.request(.get, "/drip?pieces=100&every=100").deadline(
            in: .seconds(2))
        let response = try await visit.session.response(for: request)
        do {
            let bytes = try await response.data()
            return ("\(response.status.code), then all \(bytes.count) bytes", Int64(bytes.count))
        } catch {
            return ("\(response.status.code), then \(text(of: error))", 0)
        }
    }

    /// Compares a body with the server's pattern as it arrives, and never holds more than one
    /// piece.
    private static func verified(
        _ response: HTTPResponse, each16MiB tell: (Int64) -> Void = { _ in }
    ) async throws -> Outcome {
        let period = 64 << 10
        let pattern = Data(LoopbackPattern.bytes(0..<2 * period))
        var count: Int64 = 0
        for try await piece in response.body {
            var rest = piece[...]
            while !rest.isEmpty {
                let offset = Int(count % Int64(period))
                let part = rest.prefix(period)
                guard part == pattern[offset..<offset + part.count] else {
                    return ("\(response.status.code), wrong content after byte \(count)", count)
                }
                rest = rest.dropFirst(part.count)
                if (count + Int64(part.count)) >> 24 > count >> 24 {
                    tell(count + Int64(part.count))
                }
                count += Int64(part.count)
            }
        }
        return ("\(response.status.code), \(count) bytes, content verified", count)
    }
}
