import HTTPCore

/// A proxy's response to CONNECT on one connection.
///
/// It does no I/O and decides nothing: libcurl does, and this keeps the head of a refusal.
final class Tunnel {
    /// The head of a proxy that makes no tunnel.
    struct Refusal: Equatable {
        let status: HTTPStatus
        let headers: HTTPHeaders
        let version: HTTPVersion?
    }

    private var collector = HeadCollector()
    /// `true` if no more lines are examined: the head is complete, or it is not HTTP.
    private var isDone = false
    /// `true` if a line has come.
    private(set) var hasBegun = false
    private(set) var refusal: Refusal?

    /// Returns `true` if the line ends an interim response, which libcurl takes for the final one.
    func receive(_ line: Span<UInt8>) -> Bool {
        hasBegun = true
        guard !isDone else { return false }
        guard let event = try? collector.receive(line) else {
            isDone = true
            return false
        }
        guard event == .head else { return event == .informational }
        isDone = true
        if let status = collector.status, status.class != .successful {
            refusal = Refusal(
                status: status, headers: collector.headers, version: collector.version)
        }
        return false
    }
}
