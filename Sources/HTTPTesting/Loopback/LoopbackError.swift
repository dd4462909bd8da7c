/// Why a server did not start, or why waiting for it was in vain.
public enum LoopbackError: Error, Equatable, CustomStringConvertible {
    /// The server has no socket to listen on; `reason` names the call and the system's message.
    case cannotListen(reason: String)
    /// What was waited for did not happen in time.
    case timedOut
    /// The server stopped before what was waited for happened.
    case stopped

    public var description: String {
        switch self {
        case .cannotListen(let reason): "the loopback server cannot listen: \(reason)"
        case .timedOut: "what was waited for did not happen in time"
        case .stopped: "the loopback server stopped while it was waited for"
        }
    }
}
