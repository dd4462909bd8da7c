import Dispatch
import Foundation
import HTTPClientKit
import HTTPTesting

/// One GET whose functions `Scripts/get-path` counts.
///
/// `get-path serve` prints a URL and serves until its input ends. `get-path URL` sends some GETs
/// with a client as it is by default, and then one more between two calls of marker functions.
@main
enum GetPath {
    /// Runs synchronously and ends by returning: valgrind fails at the end of an asynchronous
    /// `main`.
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 1 else { return print("usage: get-path serve|URL") }
        if arguments == ["serve"] { return try serve() }
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                try await send(to: arguments[0] + "/")
            } catch {
                print("failed: \(error)")
            }
            end.signal()
        }
        end.wait()
    }

    private static func send(to url: String) async throws {
        let client = HTTPClient()
        for _ in 0..<5 {
            _ = try await client.get(url).json(User.self)
            // The loop and the connection are idle again, as before any later request.
            try await Task.sleep(for: .milliseconds(200))
        }
        collectionBegins()
        _ = try await client.get(url).json(User.self)
        // What follows the last byte belongs to the exchange, too.
        try await Task.sleep(for: .milliseconds(200))
        collectionEnds()
    }

    private static func serve() throws {
        let server = try LoopbackServer { _ in
            return LoopbackResponse(
                fields: [
                    ("Date", "Sun, 06 Nov 2095 08:49:37 GMT"), ("Content-Type", "application/json"),
                    ("ETag", "\"5c9f\""), ("Server", "bench"), ("Cache-Control", "max-age=60"),
                ],
                content: .bytes(Array(#"{"id": 1, "name": "Ada"}"#.utf8)))
        }
        print(server.url)
        fflush(nil)
        while readLine() != nil {}
        server.stop()
    }
}

struct User: Decodable {
    var id: Int
    var name: String
}

/// Callgrind writes and resets its counts when these are called.
@inline(never) func collectionBegins() {}
@inline(never) func collectionEnds() {}
