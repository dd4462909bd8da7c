import ClientRun
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// URLSession as a client of `Scripts/transport-bench`.
///
/// It has no setting for the HTTP version. On Linux, authorities can be set only with an
/// environment variable, and there is no byte stream: a delegate counts the bytes.
@main
enum URLSessionBench {
    static func main() throws {
        let run = ClientRun(Assignment())
        let assignment = run.assignment
        if let authorities = assignment.authorities {
            setenv("URLSessionCertificateAuthorityInfoFile", authorities, 1)
        }
        guard let url = URL(string: assignment.url) else { throw URLError(.badURL) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = assignment.inFlight
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        let counter = Counter()
        let session = URLSession(
            configuration: configuration, delegate: assignment.mode == .down ? counter : nil,
            delegateQueue: nil)
        run.perform {
            var request = URLRequest(url: url)
            switch assignment.mode {
            case .down: return try await counter.bytes(of: session.dataTask(with: request))
            case .upFile:
                request.httpMethod = "PUT"
                request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
                return try checked(
                    await session.upload(
                        for: request, fromFile: URL(fileURLWithPath: assignment.file)))
            case .up, .downFile: throw URLError(.unsupportedURL)
            case .fresh: request.setValue("close", forHTTPHeaderField: "Connection")
            case .get, .h2: break
            }
            return try checked(await session.data(for: request))
        }
        run.report("URLSession")
    }

    private static func checked(_ answer: (data: Data, response: URLResponse)) throws -> Int {
        guard (answer.response as? HTTPURLResponse)?.statusCode == 200 else {
            throw URLError(.badServerResponse)
        }
        return answer.data.count
    }
}

/// A delegate that counts the bytes of one task after the other.
final class Counter: NSObject, URLSessionDataDelegate {
    private struct State {
        var bytes = 0
        var reader: CheckedContinuation<Int, any Error>?
    }

    private let state = Mutex(State())

    func bytes(of task: URLSessionDataTask) async throws -> Int {
        try await withCheckedThrowingContinuation { reader in
            state.withLock { $0 = State(reader: reader) }
            task.resume()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock { $0.bytes += data.count }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let end = state.withLock { state in
            defer { state = State() }
            return state
        }
        let result = error.map { Result.failure($0) } ?? .success(end.bytes)
        end.reader?.resume(with: result)
    }
}
