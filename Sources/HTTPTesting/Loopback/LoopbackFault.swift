/// How and where a ``LoopbackResponse`` breaks.
///
/// For a fault before the response begins, at the connection or within the request, write a
/// ``LoopbackScript``: `[.reset]` as a connection's, `[.awaitHead, .awaitContent(100), .close]`.
public struct LoopbackFault: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The connection closes: the client sees the end of the stream.
        case close
        /// The server's side closes, and nothing more is answered.
        case halfClose
        /// The connection is reset: the client sees an error.
        case reset
        /// Nothing more happens, until the client leaves.
        case stall
    }

    public enum Point: Hashable, Sendable {
        /// The request is there, and nothing of the response is sent but interim responses.
        case beforeHead
        /// After so many bytes of the head.
        case head(after: Int)
        /// After so many bytes of the content, 0 for right behind the head.
        case content(after: Int)
        /// After the last byte.
        case end
    }

    public var kind: Kind
    public var point: Point

    public init(_ kind: Kind, at point: Point) {
        self.kind = kind
        self.point = point
    }

    var script: LoopbackScript {
        switch kind {
        case .close: [.close]
        case .halfClose: [.halfClose, .stall]
        case .reset: [.reset]
        case .stall: [.stall]
        }
    }
}
