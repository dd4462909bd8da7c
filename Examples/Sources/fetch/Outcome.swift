import HTTPClientKit
import Synchronization

/// The facts about a call for the report of `-w`, collected while it runs.
final class Outcome: Sendable {
    private struct State: Sendable {
        var url = ""
        var method = ""
        var fileName: String?
        var head: HTTPResponse.Head?
        var redirects = 0
        /// The timeline, which is final when the body has ended.
        var timeline: @Sendable () -> HTTPTimeline = { HTTPTimeline(exchanges: []) }

        /// Changes the method as the client does after a redirect (RFC 9110 §15.4).
        mutating func follow(_ status: HTTPStatus) {
            switch status.code {
            case 303 where method != "HEAD": method = "GET"
            case 301 where method == "POST", 302 where method == "POST": method = "GET"
            default: break
            }
        }
    }

    private let start = ContinuousClock.now
    private let state = Mutex(State())

    func began(_ request: HTTPRequest, url: RequestURL) {
        state.withLock { state in
            state.url = url.text
            state.method = request.method.rawValue
        }
    }

    func received(_ response: HTTPResponse, fileName: String?) {
        let redirects = response.history.filter { (300..<400).contains($0.status.code) }
        state.withLock { state in
            state.head = response.head
            state.redirects = redirects.count
            for redirect in redirects { state.follow(redirect.status) }
            state.fileName = fileName
            state.timeline = { response.timeline }
        }
    }

    func received(_ head: HTTPResponse.Head?, fileName: String?) {
        state.withLock { state in
            state.head = head
            state.fileName = fileName
        }
    }

    func failed(_ error: HTTPError) {
        state.withLock { state in
            state.head = error.response ?? state.head
            if let timeline = error.timeline { state.timeline = { timeline } }
        }
    }

    /// Returns the report of the call, which has ended.
    func report(_ failure: FetchFailure?) -> TransferReport {
        let elapsed = ContinuousClock.now - start
        let state = state.withLock { $0 }
        return TransferReport(
            url: state.url, method: state.method, head: state.head, redirects: state.redirects,
            timeline: state.timeline(), elapsed: elapsed, fileName: state.fileName,
            failure: failure)
    }
}
