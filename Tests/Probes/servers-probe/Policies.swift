import HTTPClientKit

/// Responses that the layers of a client act on: retries, redirects, the cache, and errors with a
/// status.
struct Policies {
    static func run(_ report: inout Report) async throws {
        try await retries(&report)
        try await unavailable(&report)
        try await redirects(&report)
        try await caching(&report)
        try await uploads(&report)
    }

    /// Refused twice with `Retry-After: 1`, then answered.
    private static func retries(_ report: inout Report) async throws {
        let places = [
            ("haproxy", "/tries"), ("nginx", "/busy?status=429"), ("nginx", "/busy?status=503"),
            ("varnish", "/busy?status=503"),
        ]
        let tallies = try await withThrowingTaskGroup(of: (Int, Tally).self) { group in
            for (index, (server, target)) in places.enumerated() {
                guard let url = report.servers.url(server) else { continue }
                let (servers, count) = (report.servers, report.repetitions)
                group.addTask { (index, try await retries(url + target, count, servers)) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for (index, (server, target)) in places.enumerated() {
            guard let tally = tallies[index] else {
                report.skip("retries after \(server)")
                continue
            }
            report.row(
                "retries after Retry-After: 1, \(server), \(target)", tally,
                expecting: "200, or the last attempt's error")
        }
    }

    /// Sends requests that may be sent often enough, and as many that may not.
    private static func retries(
        _ url: String, _ count: Int, _ servers: RealServers
    ) async throws -> Tally {
        let transport = try servers.transport()
        let run = UInt64.random(in: 0 ... .max)
        let tally = try await withThrowingTaskGroup(of: Tally.self) { group in
            for number in 0..<count {
                for isShort in [false, true] {
                    let id = "\(run)-\(number)-\(isShort)"
                    var request = try HTTPRequest(.get, url, headers: ["X-Request": id])
                    if isShort { request = request.maxRetries(1) }
                    // Each has a retry budget of its own.
                    let client = HTTPClient(transport: transport, retry: .standard)
                    group.addTask { [request] in
                        let start = ContinuousClock.now
                        let outcome = await Outcome.of(request, over: client)
                        let wait = ContinuousClock.now - start
                        var tally = Tally()
                        if isShort {
                            tally.note(outcome, isOfLastAttempt(outcome), about: "one retry")
                        } else {
                            tally.note(
                                outcome, outcome.status == 200 && wait >= .seconds(2),
                                about: "two retries")
                        }
                        return tally
                    }
                }
            }
            return try await group.reduce(into: Tally()) { $0 += $1 }
        }
        await transport.close(grace: .zero)
        return tally
    }

    /// An error of the last attempt has its status and its wait, and the call may be made again.
    private static func isOfLastAttempt(_ outcome: Outcome) -> Bool {
        guard let error = outcome.error, let status = error.status else { return false }
        return error.code == .unexpectedStatus && [429, 503].contains(status.code)
            && error.retryAfter == .seconds(1) && error.isRetryable
    }

    private static func unavailable(_ report: inout Report) async throws {
        guard let url = report.servers.url("varnish") else { return }
        let transport = try report.servers.transport()
        var tally = Tally()
        let outcome = await Outcome.of(
            try HTTPRequest(url + "/dead"), over: HTTPClient(transport: transport))
        let error = outcome.error
        tally.note(
            outcome,
            error?.code == .unexpectedStatus && error?.status?.code == 503
                && error?.isRetryable == true && error?.bodyPrefix?.isEmpty == false)
        await transport.close(grace: .zero)
        report.row(
            "a server behind Varnish that is down", tally,
            expecting: "unexpectedStatus, 503, retryable, with its page")
    }

    /// A POST that is answered before it is read, and redirected.
    private static func redirects(_ report: inout Report) async throws {
        for server in ["caddy", "nginx", "haproxy"] {
            guard let url = report.servers.url(server) else {
                report.skip("redirects of \(server)")
                continue
            }
            let transport = try report.servers.transport()
            let client = HTTPClient(transport: transport)
            var tally = Tally()
            for _ in 0..<report.repetitions {
                let request = try HTTPRequest(
                    .post, url + "/early/303", body: HTTPBody(Data(repeating: 0x62, count: 60_000)))
                let outcome = await Outcome.of(request, over: client)
                tally.note(outcome, outcome.status == 200 && outcome.text == "hello")
            }
            await transport.close(grace: .zero)
            report.row(
                "a POST of 60 kB redirected with 303, \(server)", tally, expecting: "followed")
        }
    }

    /// A stored response is used, revalidated by nginx, and served by Varnish to others.
    private static func caching(_ report: inout Report) async throws {
        let transport = try report.servers.transport()
        var tally = Tally()
        let client = HTTPClient(transport: transport, cache: .inMemory(limit: 1 << 20))
        if let url = report.servers.url("nginx") {
            for number in 0..<2 {
                let outcome = await Outcome.of(try HTTPRequest(url + "/stored"), over: client)
                let status = cacheStatus(outcome)
                tally.note(
                    outcome,
                    outcome.text == "stored"
                        && (number == 0 || status.contains("fwd-status=304")),
                    about: "nginx, \(number), \(status)")
            }
        }
        if let url = report.servers.url("varnish") {
            let target = "/cached?\(UInt64.random(in: 0 ... .max))"
            for number in 0..<2 {
                let outcome = await Outcome.of(try HTTPRequest(url + target), over: client)
                let status = cacheStatus(outcome)
                tally.note(
                    outcome, outcome.status == 200 && (number == 0 || status.contains("hit")),
                    about: "Varnish, \(number), \(status)")
            }
        }
        await transport.close(grace: .zero)
        report.row(
            "stored responses of nginx and Varnish", tally, expecting: "revalidated, and used")
    }

    private static func cacheStatus(_ outcome: Outcome) -> String {
        if case .answered(let head, _) = outcome { head.headers["Cache-Status"] ?? "" } else { "" }
    }

    /// Blobs of docker-registry: an upload in three steps, a range, and an error in JSON.
    private static func uploads(_ report: inout Report) async throws {
        guard let url = report.servers.url("registry") else {
            report.skip("uploads to docker-registry")
            return
        }
        let transport = try report.servers.transport()
        let client = HTTPClient(transport: transport)
        var tally = Tally()
        for number in 0..<report.repetitions {
            let blob = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })
            let outcome = await Outcome.of { try await upload(blob, to: url, over: client) }
            tally.note(outcome, outcome.text == String(decoding: blob[10..<20], as: UTF8.self))
            let missing = await Outcome.of(
                try HTTPRequest("\(unescaped: url)/v2/app/manifests/none"), over: client)
            tally.note(
                missing,
                missing.error?.status?.code == 404
                    && missing.error?.bodyPrefix.map { String(decoding: $0, as: UTF8.self) }?
                        .contains("MANIFEST_UNKNOWN") == true
            )
        }
        await transport.close(grace: .zero)
        report.row(
            "blobs of docker-registry: POST, PATCH, PUT, a range, a 404", tally,
            expecting: "all as sent")
    }

    /// Returns ten bytes of the blob, which the server sends.
    private static func upload(
        _ blob: Data, to url: String, over client: HTTPClient
    ) async throws -> (HTTPResponse.Head, Data) {
        func place(_ response: HTTPResponse) throws -> String {
            guard let location = response.headers[.location] else {
                throw HTTPError(.protocolViolation, "no Location")
            }
            return location.hasPrefix("/") ? url + location : location
        }
        let begun = try await client.response(
            for: HTTPRequest(.post, "\(unescaped: url)/v2/app/blobs/uploads/"))
        await begun.discard()
        let patched = try await client.response(
            for: HTTPRequest(
                .patch, place(begun), headers: ["Content-Type": "application/octet-stream"],
                body: HTTPBody(blob)))
        await patched.discard()
        let digest = "sha256:\(HTTPDigest(.sha256, of: blob).hexadecimal)"
        let next = try place(patched)
        let put = try await client.response(
            for: HTTPRequest(.put, next + (next.contains("?") ? "&" : "?") + "digest=" + digest))
        await put.discard()
        let part = try await client.response(
            for: HTTPRequest(
                .get, "\(unescaped: url)/v2/app/blobs/\(digest)",
                headers: ["Range": "bytes=10-19"]))
        return (part.head, try await part.body.collect())
    }
}
