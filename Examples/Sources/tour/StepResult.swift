/// The result of one step over one transport.
struct StepResult: Codable, Sendable {
    /// The outcome of the last row if the child has finished its work and exited.
    static let exited = "exit status 0"

    /// The text that is compared: the same text means the same behaviour.
    var outcome: String
    var seconds: Double?
    /// The length of the response body after content decoding.
    var bytes: Int64?
}
