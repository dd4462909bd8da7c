import HTTPClientKit

/// A call as the page shows it. Times are in milliseconds; those of the call's parts count from
/// its beginning.
///
/// It has no secrets: URLs are log-safe, and there are no header values and no bodies. Its size is
/// limited: texts are cut, and lists end after ``limit`` elements.
package struct ObservedCall: Encodable, Equatable, Sendable, Identifiable {
    package enum State: String, Encodable, Sendable {
        case running
        case ended
        /// The caller did not read the body to its end.
        case abandoned
        case failed
    }

    /// The limit on exchanges, decisions and notes of a call.
    package static let limit = 50

    package var id: UInt64
    /// The place of the call among all that the store has seen, 0 for the first.
    package var number: Int
    package var method: String
    package var url: String
    /// The time since the store began.
    package var startedAt: Double
    package var state = State.running
    /// The status of the last response.
    package var status: Int?
    /// The name of the error that ended the call, such as `timedOut`.
    package var error: String?
    /// The error as a sentence.
    package var errorText: String?
    package var total: Double?
    package var exchanges: [ObservedExchange] = []
    package var decisions: [Decision] = []
    package var cache: [CacheVerdict] = []
    package var notes: [Note] = []

    /// A decision to send again or not.
    package struct Decision: Encodable, Equatable, Sendable {
        package var at: Double
        package var attempt: Int
        package var cause: String
        /// The wait before the call is sent again; `nil` if it is not.
        package var wait: Double?
        /// The decision with its reason, as a sentence.
        package var text: String
    }

    /// The use that a cache made of its stored responses.
    package struct CacheVerdict: Encodable, Equatable, Sendable {
        /// `hit`, or the reason for passing the request on, such as `stale`.
        package var word: String
        /// The verdict in full, as in the field `Cache-Status`.
        package var text: String
    }

    /// Something else that happened, such as a redirect.
    package struct Note: Encodable, Equatable, Sendable {
        package var at: Double
        package var text: String
    }
}

/// One request of a call with its response.
package struct ObservedExchange: Encodable, Equatable, Sendable {
    package var number: Int
    package var method: String
    package var url: String
    /// The time at which the transport accepted the request.
    package var startedAt: Double
    package var status: Int?
    package var error: String?
    /// The peer, the version of HTTP and whether the connection was new, as far as known.
    package var peer: String?
    package var version: String?
    package var isReused: Bool?
    package var bytes: Int64 = 0
    package var isOver = false
    package var phases: [Phase] = []

    /// The times so far.
    var times: HTTPTimeline.Exchange
    /// The time at which the last byte of the request was sent.
    var sent: Duration?
    /// The step under way, as far as events have told.
    var step = Phase.Name.queued

    /// A bar of the waterfall.
    package struct Phase: Encodable, Equatable, Sendable {
        package enum Name: String, Encodable, Sendable {
            case queued, name, connect
            case tls = "TLS"
            case sending, waiting, body
        }

        package var name: Name
        package var from: Double
        /// The end; `nil` while the phase lasts.
        package var to: Double?
    }

    private enum CodingKeys: String, CodingKey {
        case number, method, url, startedAt, status, error, peer, version, isReused, bytes, isOver
        case phases
    }

    init(_ number: Int, of request: HTTPRequest, startedAt: Double) {
        self.number = number
        method = request.method.rawValue
        url = request.url.logSafe.shortened(to: 300)
        self.startedAt = startedAt
        times = HTTPTimeline.Exchange(start: HTTPInstant(sinceStart: .zero))
    }
}

extension String {
    /// The beginning of a text that is too long for the page.
    func shortened(to limit: Int) -> String {
        count > limit ? prefix(limit - 1) + "…" : self
    }
}

extension Duration {
    /// The time in milliseconds, to the microsecond.
    package var milliseconds: Double { (self / .microseconds(1)).rounded() / 1000 }
}
