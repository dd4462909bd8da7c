/// What one libcurl does and another does not, as far as a transport above it can be told apart by it.
///
/// The tests ask here what to expect of the library they run over. They fail where it does what is
/// listed as different, so that no line outlives its cause. Versions in between were not tried.
package struct LibcurlDifference: Sendable {
    package enum Kind: Sendable {
        /// A response of the wire vectors, over CurlTransport.
        case response
        /// A head that a test sends over CurlTransport.
        case head
        /// What a server of HTTP/2 says of a request, over CurlTransport.
        case refusal
        /// A content coding of the wire vectors, over CurlTransport.
        case coding
        /// A conformance case, over URLSessionTransport.
        case urlSession
    }

    package let kind: Kind
    /// The vector's or case's own name.
    package let name: String
    package let reason: String
    /// The first version known to differ, as in `0x08_0E_01`; `nil` for all before `until`.
    package let from: UInt32?
    /// The first version known not to differ any more; `nil` for none so far.
    package let until: UInt32?

    package init(
        _ kind: Kind, _ name: String, because reason: String, from: UInt32? = nil,
        until: UInt32? = nil
    ) {
        self.kind = kind
        self.name = name
        self.reason = reason
        self.from = from
        self.until = until
    }

    package func holds(for version: UInt32) -> Bool {
        version >= from ?? 0 && version < until ?? .max
    }

    /// The reasons, by name, of what differs in `version`.
    package static func reasons(_ kind: Kind, in version: UInt32) -> [String: String] {
        [String: String](
            all.filter { $0.kind == kind && $0.holds(for: version) }.map { ($0.name, $0.reason) },
            uniquingKeysWith: { first, _ in first })
    }

    private static let usesConnectionsUnseen =
        "libcurl uses a connection again that has bytes to be read, and URLSession shows neither its "
        + "sockets nor when one is used again"

    package static let all: [LibcurlDifference] = [
        .init(
            .response, "h11/chunked/10",
            because: "libcurl reads a chunk's size up to what is no digit, and hides the rest"),
        .init(.response, "llhttp/transfer-encoding/06", because: "the same"),
        .init(
            .response, "derived/te-cl/te-obs-fold",
            because: "folded lines are not joined: refused rather than framed wrongly",
            until: 0x08_12_00),
        .init(
            .head, "a NUL at the start of a line",
            because: "libcurl drops what it has read behind it, and counts it nowhere",
            until: 0x08_0E_01),
        .init(
            .refusal, "a GOAWAY over a kept connection",
            because: "libcurl sends again by itself, as on a dead one, and does not tell why",
            from: 0x08_01_00),
        .init(
            .urlSession, "a second response is never the answer to the next request",
            because: usesConnectionsUnseen, until: 0x08_0E_01),
        .init(
            .urlSession, "a 408 on an idle connection is never the answer to the next request",
            because: usesConnectionsUnseen, until: 0x08_0E_01),
        .init(
            .urlSession, "an empty query is kept",
            because: "libcurl leaves out the question mark, and URLSession takes its URL",
            from: 0x08_0E_01, until: 0x08_15_00),
        .init(
            .urlSession, "percent-encoding is kept, byte by byte",
            because: "libcurl writes the digits in capitals, and URLSession takes its URL",
            from: 0x08_15_00),
    ]
}
