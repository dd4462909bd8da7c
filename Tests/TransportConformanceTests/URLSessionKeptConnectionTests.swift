import HTTPFormats

#if !canImport(Darwin)
    import Foundation
    import HTTPCore
    import HTTPTesting
    import HTTPTransportURLSession
    import TestSupport
    import Testing

    @testable import HTTPTransportCurl

    /// Tests of bytes that a server sends on an idle connection, over URLSession on Linux.
    ///
    /// With some versions of libcurl, they become the response to the next request. Nothing above
    /// URLSession sees its sockets.
    @Suite(.timeLimit(.minutes(5))) struct URLSessionKeptConnectionTests {
        private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nright"
        private static let unsolicited = [
            "a second response": "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong",
            "an idle 408":
                "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 5\r\n"
                + "\r\nwrong",
        ]

        /// Returns `true` if the next request receives those bytes as its response.
        ///
        /// - Parameter pause: The time between those bytes and that request.
        private static func isMisled(
            by bytes: String, _ method: HTTPMethod, after pause: Duration
        ) async throws -> Bool {
            let (isIdle, isSent) = (LoopbackGate(), LoopbackGate())
            let server = try LoopbackServer(scripts: [
                [
                    .awaitHead, .send(answer), .pause(until: isIdle), .send(bytes),
                    .pause(until: isSent), .stall,
                ],
                [.awaitHead, .send(answer), .stall],
            ])
            let transport = URLSessionTransport()
            _ = try await transport.response(for: server.url("/")).data()
            try await isIdle.reached()
            isIdle.open()
            try await isSent.reached()
            isSent.open()
            try await Task.sleep(for: pause)
            let body: HTTPBody = method == .post ? HTTPBody("x") : .empty
            let second = try await transport.response(
                for: HTTPRequest(method, server.url("/"), body: body))
            return try await second.text() == "wrong"
        }

        private static let library = try? CurlLibrary.loaded.get()

        /// `true` for libcurl 7.88.1 and 8.23.0, where this happened every time; `false` for 8.14.1
        /// and 8.21.0.
        private static var isMisleading: Bool {
            let differences = LibcurlDifference.reasons(.urlSession, in: library?.number ?? 0)
            return differences["a second response is never the answer to the next request"] != nil
        }

        @Test(arguments: unsolicited.keys.sorted(), [HTTPMethod.get, .post])
        func `bytes on an idle connection answer the next request with some versions of libcurl`(
            kind: String, method: HTTPMethod
        ) async throws {
            let isFull = ProcessInfo.processInfo.environment["HTTP_TEST_COUNTS"] == "full"
            let count = isFull ? 75 : 8
            let bytes = try #require(Self.unsolicited[kind])
            var misled = 0
            for number in 0..<count
            where try await Self.isMisled(by: bytes, method, after: .milliseconds(number % 20)) {
                misled += 1
            }
            let expected = Self.isMisleading ? count : 0
            print(
                "FIGURE | \(method) answered by \(kind) on an idle connection, URLSession, libcurl "
                    + "\(Self.library?.version ?? "unknown") | \(misled) of \(count) "
                    + "| \(expected) | \(misled == expected ? "pass" : "fail")")
            #expect(misled == expected)
        }
    }
#endif
