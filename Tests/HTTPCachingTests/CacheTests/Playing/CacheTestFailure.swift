/// The reason why a test did not pass, named as in the published results.
struct CacheTestFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// `Assertion`, `Setup`, or the name of another error.
    let name: String
    let message: String

    init(_ name: String, _ message: String) {
        self.name = name
        self.message = message
    }

    /// - Parameter isSetup: `true` if the test could not be done.
    init(isSetup: Bool, _ message: String) {
        self.init(isSetup ? "Setup" : "Assertion", message)
    }

    /// A failure of the client itself, which the original engine sees as an error of `fetch`.
    static func client(_ message: String) -> Self { Self("TypeError", message) }

    /// Throws a failure unless `condition` holds.
    static func check(
        _ condition: Bool, isSetup: Bool, _ message: @autoclosure () -> String
    ) throws(Self) {
        if !condition { throw Self(isSetup: isSetup, message()) }
    }

    var description: String { "\(name): \(message)" }
}
