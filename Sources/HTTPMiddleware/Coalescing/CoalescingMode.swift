public import HTTPCore

/// What to do with a request while an identical one is under way.
public enum CoalescingMode: Sendable, Hashable {
    /// Send it all the same. A later one that joins joins this one.
    case alwaysCreateNew
    /// Take the answer of the one under way, success or failure; send it if there is none.
    case useCurrentIfPossible
    /// Fail at once with `droppedAsDuplicate`; the one under way is not disturbed. For the second
    /// submit of a form, for one.
    case dropIfDuplicated
}

extension HTTPRequest {
    private enum Handling: HTTPRequestOption {
        static var defaultValue: CoalescingMode? { nil }
    }

    /// For this request, whatever its method; `nil` for what the session's ``Coalescing`` does with
    /// GET and HEAD. Its body must be in memory and its delivery `.buffered`. What cannot be done
    /// is refused with `unsupportedOption`, as by a session without such a layer, and nothing is
    /// sent.
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

    /// As ``coalescing``.
    public func coalescing(_ handling: CoalescingMode) -> HTTPRequest {
        var request = self
        request.coalescing = handling
        return request
    }
}

extension HTTPRequest {
    /// This request as ``Coalescing`` hands it on: a transport need not see to duplicates any more.
    package var withDuplicatesSeenTo: HTTPRequest {
        var request = self
        request.options.remove(WhenDuplicated.self)
        return request
    }
}

/// Taken off by ``Coalescing``, so that a transport which finds it knows that nobody has seen to it.
private enum WhenDuplicated: HTTPTransportOption {
    static var defaultValue: Bool { false }
    static var name: String { "coalescing, which takes a Coalescing layer" }
}
