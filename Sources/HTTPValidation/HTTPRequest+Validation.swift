public import HTTPCore

/// The option behind `isValidatedByHead`.
package enum ValidatedByHead: HTTPRequestOption {
    package static var defaultValue: Bool { false }
}

extension HTTPRequest {
    /// `true` if the caller reads the body as it arrives, so that no validator reads it before.
    package var isValidatedByHead: Bool {
        get { self[ValidatedByHead.self] }
        set { self[ValidatedByHead.self] = newValue }
    }

    /// Returns the request with a body that no validator reads. See `isValidatedByHead`.
    public func validatedByHead() -> HTTPRequest { option(ValidatedByHead.self, true) }
}
