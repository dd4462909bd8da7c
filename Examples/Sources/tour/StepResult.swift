/// What came of one step over one transport.
struct StepResult: Codable, Sendable {
    /// The outcome of the last row, when the child has done its work and left.
    static let exited = "exit status 0"

    /// What is compared: the same text means the same behaviour.
    var outcome: String
    var seconds: Double?
    /// Of response body, after content decoding.
    var bytes: Int64?
}
