import Dispatch
import Foundation
import HTTPCore
import HTTPTesting
import HTTPTransportURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The cost that `URLSessionTransport` adds to a request, for `Scripts/urlsession-cost`.
///
/// `urlsession-cost serve` serves until its input ends.
/// `urlsession-cost shared|bare|delegate|transport COUNT URL` sends that many requests, one after
/// the other, and prints the CPU time of each.
@main
enum URLSessionCost {
    /// Runs synchronously and ends by returning: valgrind fails at the end of an asynchronous
    /// `main`.
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["serve"] { return try serve() }
        guard arguments.count == 3, let count = Int(arguments[1]),
            let get = try getter(arguments[0], arguments[2])
        else {
            return print(
                "usage: urlsession-cost serve, "
                    + "urlsession-cost shared|bare|delegate|transport COUNT URL"
            )
        }
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                let start = processorTime()
                for _ in 0..<count {
                    guard try await get() == Data("hello".utf8) else {
                        fatalError("another answer")
                    }
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

    private static func getter(
        _ mode: String, _ address: String
    ) throws -> (@Sendable () async throws -> Data)? {
        guard let url = URL(string: address + "/hello") else { return nil }
        switch mode {
        case "shared":
            return { try await URLSession.shared.data(for: URLRequest(url: url)).0 }
        case "bare":
            let session = URLSession(configuration: configuration)
            return { try await session.data(for: URLRequest(url: url)).0 }
        case "delegate":
            let delegate = Collector()
            let session = URLSession(
                configuration: configuration, delegate: delegate, delegateQueue: nil)
            return {
                try await withCheckedThrowingContinuation { continuation in
                    let task = session.dataTask(with: URLRequest(url: url))
                    delegate.expect(task, continuation)
                    task.resume()
                }
            }
        case "transport":
            let transport = try URLSessionTransport(configuration: configuration)
            return {
                let request = HTTPRequest(.get, url).delivery(.buffered(upTo: 1 << 20))
                return try await transport.response(for: request).data()
            }
        default: return nil
        }
    }

    /// A configuration without the features that the transport lacks, so that all modes do the same
    /// work.
    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.httpCookieStorage = nil
        return configuration
    }

    private static func serve() throws {
        let server = try LoopbackServer { _ in .status(200, "hello") }
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

/// The minimal delegate of a program, for one body at a time.
// @unchecked: called on URLSession's delegate queue, and by a program that waits for each response.
private final class Collector: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private var body = Data()
    private var continuation: CheckedContinuation<Data, any Error>?

    func expect(_ task: URLSessionTask, _ continuation: CheckedContinuation<Data, any Error>) {
        body = Data()
        self.continuation = continuation
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        body += data
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let continuation = self.continuation.take()
        if let error {
            continuation?.resume(throwing: error)
        } else {
            continuation?.resume(returning: body)
        }
    }
}
