import HTTPClientKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A webhook to deliver.
struct Delivery: Sendable {
    /// The number of the delivery, from 1, in order of arrival.
    let number: Int
    let url: String
    /// JSON, which is not checked.
    let body: String

    init(_ number: Int, to url: String, body: String) {
        self.number = number
        self.url = url
        self.body = body
    }

    /// - Parameter line: The URL, a space, the body.
    init(_ number: Int, line: String) {
        let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(number, to: String(parts[0]), body: parts.count == 2 ? String(parts[1]) : "")
    }

    /// Creates the request, with a key by which the receiver recognises a repeated delivery.
    /// Without one, a POST is not sent again.
    ///
    /// - Parameter limit: The time limit of each attempt, which the transport enforces. A deadline
    ///   for all attempts would cost a system timer, which stays in memory until its time.
    func request(within limit: Duration) throws(HTTPError) -> HTTPRequest {
        try HTTPRequest(.post, url).data(Data(body.utf8), contentType: .json)
            .idempotencyKey().timeout(limit)
    }
}

/// The outcome of a delivery.
enum DeliveryOutcome: Sendable {
    case delivered
    case failed(any Error)
    case cancelled
}
