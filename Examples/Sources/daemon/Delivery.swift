import HTTPClientKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A webhook that somebody is to get.
struct Delivery: Sendable {
    /// From 1, in the order they came.
    let number: Int
    let url: String
    /// JSON, for all we know.
    let body: String

    init(_ number: Int, to url: String, body: String) {
        self.number = number
        self.url = url
        self.body = body
    }

    /// - Parameter line: the URL, a blank, the body.
    init(_ number: Int, line: String) {
        let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(number, to: String(parts[0]), body: parts.count == 2 ? String(parts[1]) : "")
    }

    /// With a key by which the receiver knows a delivery that comes twice: without one a POST is not
    /// sent again.
    ///
    /// - Parameter limit: for each attempt. The transport keeps it, which a deadline for all of them would
    ///   not be: that costs a timer of the system's, which stays in memory until it would have gone off.
    func request(within limit: Duration) throws(HTTPError) -> HTTPRequest {
        try HTTPRequest(.post, url).data(Data(body.utf8), contentType: .json)
            .idempotencyKey().timeout(limit)
    }
}

/// How a delivery ended.
enum DeliveryOutcome: Sendable {
    case delivered
    case failed(any Error)
    case cancelled
}
