/// A fault of a ``LoopbackResponse``, and the point at which it occurs.
///
/// For a fault before the response begins, write a ``LoopbackScript``: `[.reset]` for a connection,
/// or `[.awaitHead, .awaitContent(100), .close]` for a fault within the request.
public struct LoopbackFault: Hashable, Sendable {
    /// The ways in which a response breaks.
    public enum Kind: Hashable, Sendable {
        /// The connection closes: the client sees the end of the stream.
        case close
        /// The server shuts down its sending side, and sends nothing more.
        case halfClose
        /// The connection is reset: the client sees an error.
        case reset
        /// Nothing more happens until the client leaves.
        case stall
    }

    /// The points at which a response breaks.
    public enum Point: Hashable, Sendable {
        /// Before the head: only interim responses are sent.
        case beforeHead
        /// After this number of bytes of the head.
        case head(after: Int)
        /// After this number of bytes of the content; 0 is right after the head.
        case content(after: Int)
        /// After the last byte.
        case end
    }

    package var kind: Kind
    package var point: Point

    package init(_ kind: Kind, at point: Point) {
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
