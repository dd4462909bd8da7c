import Dispatch
import Foundation
import HTTPClientKit
import HTTPCore
import HTTPMiddleware
import HTTPRetry
import HTTPTesting
import HTTPTransportCurl
import HTTPValidation

/// The cost that layers with nothing to do add to a request, for `Scripts/layer-cost`.
///
/// `layer-cost serve` serves until its input ends.
/// `layer-cost MODE COUNT URL` sends that many requests, one after the other, and prints the CPU
/// time of each: `bare|empty|policies|all|client|based`, or a client with a cache that stores no
/// response (`passing`), stores each (`storing`), or serves each (`hit`). Without a URL, a session
/// in the program answers: the layers alone, whose instructions are the same in every run.
@main
enum LayerCost {
    /// Runs synchronously and ends by returning: valgrind fails at the end of an asynchronous
    /// `main`.
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["serve"] { return try serve() }
        guard 2...3 ~= arguments.count, let count = Int(arguments[1]) else {
            return print(
                "usage: layer-cost serve, "
                    + "layer-cost bare|empty|policies|all|client|based|passing|storing|hit "
                    + "COUNT [URL]"
            )
        }
        let url = (arguments.count == 3 ? arguments[2] : "http://localhost") + "/"
        let session = session(
            arguments[0], over: arguments.count == 3 ? CurlTransport() : Immediate())
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                let start = processorTime()
                let isNew = arguments[0] == "storing"
                let url = arguments[0] == "passing" ? url + "no-store" : url
                for number in 0..<count {
                    let request = try HTTPRequest(.get, isNew ? url + "?\(number)" : url)
                        .delivery(.buffered(upTo: 1 << 20))
                    let response = try await session.response(for: request)
                    guard response.status == .ok else { fatalError("\(response)") }
                }
                let each = (processorTime() - start) / Double(count) * 1e6
                print("\(arguments[0]): \((each * 10).rounded() / 10) µs of CPU time each")
            } catch {
                print("failed: \(error)")
            }
            end.signal()
        }
        end.wait()
    }

    private static func session(
        _ name: String, over transport: any HTTPSession
    ) -> any HTTPSession {
        switch name {
        case "empty": return transport.with(EmptyLayer(), EmptyLayer())
        case "policies": return transport.with(Validation(), Retry(.standard))
        case "all":
            return transport.with(
                Validation(), Redirects(), Coalescing(), Retry(.standard), ConcurrencyLimit(),
                OriginGuard())
        case "client": return HTTPClient(transport: transport)
        case "passing", "storing", "hit":
            return HTTPClient(transport: transport, cache: .inMemory)
        case "based":
            // The settings of most programs: a base URL, a header, retries.
            return HTTPClient(
                baseURL: URL(string: "http://localhost/"), transport: transport,
                headers: ["User-Agent": "bench/1"], retry: .standard)
        default: return transport
        }
    }

    private static func serve() throws {
        let server = try LoopbackServer { request in
            return LoopbackResponse(
                fields: fields(for: request.path),
                content: .bytes(Array(body.utf8)))
        }
        print(server.url)
        fflush(nil)
        while readLine() != nil {}
        server.stop()
    }

    private static func processorTime() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// The fields of a usual response; those of `/no-store` may not be stored.
func fields(for path: String) -> [(name: String, value: String)] {
    [
        ("Date", "Sun, 06 Nov 2095 08:49:37 GMT"), ("Content-Type", "text/plain"),
        ("ETag", "\"5c9f\""), ("Server", "bench"),
        ("Cache-Control", path == "/no-store" ? "no-store" : "max-age=60"),
    ]
}

/// 1 KiB.
let body = String(repeating: "hello ok", count: 128)

/// A session that answers at once.
struct Immediate: HTTPSession {
    private static let stored = section("/")
    private static let unstored = section("/no-store")

    private static func section(_ path: String) -> HTTPHeaders {
        HTTPHeaders { headers in
            for field in fields(for: path) { headers[HTTPHeaderName(field.name)] = field.value }
        }
    }

    private func headers(for request: HTTPRequest) throws -> HTTPHeaders {
        request.url.path == "/no-store" ? Self.unstored : Self.stored
    }

    func response(for request: HTTPRequest) async throws -> HTTPResponse {
        HTTPResponse(.ok, headers: try headers(for: request), body: HTTPBody(body), to: request)
    }
}

/// A layer that does nothing, for the cost of any layer.
struct EmptyLayer: HTTPClientMiddleware {
    func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
        try await next.response(for: request)
    }
}
