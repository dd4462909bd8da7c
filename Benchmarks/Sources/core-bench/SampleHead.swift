/// Twelve fields each: of a typical request from a program, and of a typical response from a
/// server.
enum SampleHead {
    /// Values of usual length. The names are at their use, as in programs.
    enum Value {
        static let accept = "application/json, text/plain;q=0.9, */*;q=0.8"
        static let acceptEncoding = "gzip, deflate, br"
        static let acceptLanguage = "en-US,en;q=0.9"
        static let authorization =
            "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4"
        static let cacheControl = "no-cache"
        static let contentLength = "348"
        static let contentType = "application/json"
        static let cookie = "session=4f8c9d2e1b7a; theme=dark"
        static let ifNoneMatch = #""33a64df551425fcc55e4d42a148795d9f25f89d4""#
        static let origin = "https://app.example.com"
        static let referer = "https://app.example.com/dashboard"
        static let userAgent = "example-agent/4.2 (Linux; x86_64)"
    }

    static let response = [
        "Server: nginx/1.22.1", "Date: Sat, 21 Nov 2026 05:07:18 GMT",
        "Content-Type: application/json; charset=utf-8", "Content-Length: 1024",
        "Connection: keep-alive", "Cache-Control: private, max-age=60",
        #"ETag: "5f3a-1c8b9e2d4a6f""#, "Last-Modified: Fri, 20 Nov 2026 17:45:00 GMT",
        "Vary: Accept-Encoding, Origin", "X-Request-ID: 7b1c2f64-52f1-4b8e-9d3a-0f6f4f1c9e21",
        "Strict-Transport-Security: max-age=31536000; includeSubDomains",
        "Set-Cookie: session=4f8c9d2e1b7a; Path=/; HttpOnly; Secure",
    ]
}

/// Lines in buffers that Swift does not own, such as libcurl passes to a transport.
@safe struct ForeignLines: @unchecked Sendable {
    private let lines: [UnsafeBufferPointer<UInt8>]

    /// The buffers are never freed, and written only here, so any thread may read them. Benchmarks
    /// last as long as the process.
    init(_ lines: [String]) {
        unsafe self.lines = lines.map { line in
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: line.utf8.count)
            _ = unsafe copy.initialize(from: line.utf8)
            return UnsafeBufferPointer(copy)
        }
    }

    @inline(__always) func forEach(_ body: (Span<UInt8>) -> Void) {
        for index in unsafe lines.indices { unsafe body(Span(_unsafeElements: lines[index])) }
    }
}
