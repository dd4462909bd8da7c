/// A difference between versions of libcurl that shows in a transport above it.
///
/// The tests look up here what to expect of the library they run over. They fail if a listed
/// difference does not occur, so that no entry outlives its cause. Versions in between were not
/// tested.
package struct LibcurlDifference: Sendable {
    package enum Kind: Sendable {
        /// A response of the wire vectors, over CurlTransport.
        case response
        /// A head that a test sends over CurlTransport.
        case head
        /// The refusal of a request by an HTTP/2 server, over CurlTransport.
        case refusal
        /// A conformance case, over URLSessionTransport.
        case urlSession
    }

    package let kind: Kind
    /// The name of the vector or case.
    package let name: String
    package let reason: String
    /// The first version known to differ, such as `0x08_0E_01`; `nil` for all before `until`.
    package let from: UInt32?
    /// The first version known not to differ any more; `nil` if there is none so far.
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

    /// Returns the reasons, by name, of the differences in `version`.
    package static func reasons(_ kind: Kind, in version: UInt32) -> [String: String] {
        [String: String](
            all.filter { $0.kind == kind && $0.holds(for: version) }.map { ($0.name, $0.reason) },
            uniquingKeysWith: { first, _ in first })
    }

    private static let foldsUnseen =
        "libcurl does not join folded lines and so does not see the coding, but URLSession joins "
        + "them and shows the field like any other"

    private static let usesConnectionsUnseen =
        "libcurl reuses a connection that has unread bytes, and URLSession shows neither its "
        + "sockets nor their reuse"

    package static let all: [LibcurlDifference] = [
        .init(
            .response, "h11/chunked/10",
            because: "libcurl reads a chunk size up to the first non-digit, and hides the rest"),
        .init(.response, "llhttp/transfer-encoding/06", because: "the same"),
        .init(
            .response, "derived/te-cl/te-obs-fold",
            because: "folded lines are not joined: refused rather than framed wrongly",
            until: 0x08_12_00),
        .init(
            .head, "a NUL at the start of a line",
            because: "libcurl drops the bytes that it has read after it, and does not count them",
            until: 0x08_0E_01),
        .init(
            .refusal, "a flood of empty frames",
            because: "libcurl closes the connection long before the deadline",
            from: 0x08_17_00),
        .init(
            .urlSession, "a second response is never the answer to the next request",
            because: usesConnectionsUnseen, until: 0x08_0E_01),
        .init(
            .urlSession, "a 408 on an idle connection is never the answer to the next request",
            because: usesConnectionsUnseen, until: 0x08_0E_01),
        .init(
            .urlSession, "a second response is never the answer to the next request",
            because: usesConnectionsUnseen, from: 0x08_17_00),
        .init(
            .urlSession, "a 408 on an idle connection is never the answer to the next request",
            because: usesConnectionsUnseen, from: 0x08_17_00),
        .init(
            .urlSession, "a transfer coding on a folded line is honoured, or refused",
            because: foldsUnseen, until: 0x08_12_00),
        .init(
            .urlSession, "a content coding on a folded line is honoured, left alone or refused",
            because: foldsUnseen, until: 0x08_12_00),
        .init(
            .urlSession, "an empty query is kept",
            because: "libcurl removes the question mark, and URLSession uses its URL",
            from: 0x08_0E_01, until: 0x08_15_00),
        .init(
            .urlSession, "percent-encoding is kept, byte by byte",
            because: "libcurl writes the digits in capitals, and URLSession uses its URL",
            from: 0x08_15_00),
    ]
}
