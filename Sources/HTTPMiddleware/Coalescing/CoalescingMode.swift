public import HTTPCore

/// A policy for a request while an identical one is under way.
public enum CoalescingMode: Sendable, Hashable {
    /// Sends the request anyway. Later identical requests may join this one.
    case alwaysCreateNew
    /// Uses the response or error of the request under way. If there is none, sends the request.
    case useCurrentIfPossible
    /// Fails at once with `droppedAsDuplicate`; the request under way is not disturbed. Useful for
    /// the second submission of a form, for example.
    case dropIfDuplicated
}

extension HTTPRequest {
    private enum Handling: HTTPRequestOption {
        static var defaultValue: CoalescingMode? { nil }
    }

    /// The mode for this request, whatever its method; `nil` for what the session's
    /// ``/HTTPMiddleware/Coalescing`` does with GET and HEAD.
    ///
    /// The modes ``/HTTPMiddleware/CoalescingMode/useCurrentIfPossible`` and
    /// ``/HTTPMiddleware/CoalescingMode/dropIfDuplicated`` need a body in memory and `.buffered`
    /// delivery. Otherwise, and in a session without a ``/HTTPMiddleware/Coalescing`` layer, the
    /// request fails with `unsupportedOption`, and nothing is sent.
    public var coalescing: CoalescingMode? {
        get { self[Handling.self] }
        set {
            self[Handling.self] = newValue
            switch newValue {
            case nil, .alwaysCreateNew: options.remove(WhenDuplicated.self)
            case .useCurrentIfPossible, .dropIfDuplicated: self[WhenDuplicated.self] = true
            }
        }
    }

    /// Returns this request with the given mode. See ``coalescing``.
    public func coalescing(_ mode: CoalescingMode) -> HTTPRequest {
        with { $0.coalescing = mode }
    }
}

extension HTTPRequest {
    /// The request as ``/HTTPMiddleware/Coalescing`` passes it on, without the mark that its
    /// duplicates must be handled.
    package var withDuplicatesSeenTo: HTTPRequest {
        with { $0.options.remove(WhenDuplicated.self) }
    }
}

/// A mark that ``/HTTPMiddleware/Coalescing`` removes. A transport that finds it knows that no
/// layer handles duplicates.
private enum WhenDuplicated: HTTPTransportOption {
    static var defaultValue: Bool { false }
    static var name: String { "coalescing, which takes a Coalescing layer" }
}
