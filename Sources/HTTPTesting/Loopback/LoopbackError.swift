import HTTPCore
public import PortableFoundation

/// An error of a loopback server that could not start, or of waiting for it.
public enum LoopbackError: Error, Equatable, CustomStringConvertible {
    /// The server could not start; `reason` names the call and the system's message.
    case cannotListen(reason: String)
    /// The awaited event did not happen in time.
    case timedOut
    /// The server stopped before the awaited event happened.
    case stopped

    public var description: String {
        switch self {
        case .cannotListen(let reason):
            "the loopback server cannot listen: \(reason.escapingControls())"
        case .timedOut: "the awaited event did not happen in time"
        case .stopped: "the loopback server stopped before the awaited event happened"
        }
    }
}

extension LoopbackError: LocalizedError {
    public var errorDescription: String? { description }
}
