extension HTTPResponse {
    private enum Reasons: HTTPRequestOption {
        static var defaultValue: [String] { [] }
    }

    /// The reasons for which layers hand this response back instead of acting on it, such as those
    /// of an authentication that does not answer a challenge.
    ///
    /// They are clauses of the error that stands for the response, so they hold no secrets.
    package var reasons: [String] {
        get { options.isEmpty ? [] : self[Reasons.self] }
        set { self[Reasons.self] = newValue }
    }

    /// Adds a reason for which a layer hands this response back.
    package mutating func handBack(because reason: String) {
        guard !reasons.contains(reason) else { return }
        reasons.append(reason)
    }
}
