#if canImport(Glibc) && canImport(HTTPTransportCurl)
    import Glibc
    import HTTPClientKit
    import HTTPTesting
    import HTTPTransportCurl
    import TestSupport
    import Testing

    import PortableFoundation

    /// The resources that a client leaves when its last copy is released.
    @Suite(.timeLimit(.minutes(5))) struct HTTPClientReleasingTests {
        @Test func `clients whose validators log in leave no thread and no descriptor`() async {
            await #expect(processExitsWith: .success) {
                alarm(300)
                let server = try LoopbackServer { request in
                    request.target == "/login" || request["Authorization"] != nil
                        ? .ok("new") : .status(401)
                }
                func call() async throws {
                    let login = HTTPAltTaskValidator { session in
                        try await session.response(
                            String.self, for: HTTPRequest(server.url("/login")))
                    } prepare: { request, token in
                        request.headers[.authorization] = "Bearer \(token)"
                    }
                    let client = HTTPClient(transport: CurlTransport(), validators: [login])
                    guard try await client.get(server.url("/a")).text() == "new" else { exit(3) }
                }
                try await call()
                // A client that is left keeps its thread, and the alarm ends this.
                while Self.loops > 0 { await Task.yield() }
                let descriptors = Self.entries(of: "/proc/self/fd").count
                for _ in 0..<20 { try await call() }
                while Self.loops > 0 { await Task.yield() }
                while Self.entries(of: "/proc/self/fd").count > descriptors { await Task.yield() }
            }
        }

        private static func entries(of folder: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        }

        /// The number of threads that run event loops of the transport.
        private static var loops: Int {
            entries(of: "/proc/self/task").count { thread in
                let path = "/proc/self/task/\(thread)/comm"
                let name = FileManager.default.contents(atPath: path) ?? Data()
                return name.starts(with: Data("http-curl".utf8))
            }
        }
    }
#endif
