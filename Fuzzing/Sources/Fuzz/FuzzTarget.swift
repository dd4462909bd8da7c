import FoundationEssentials
import HTTPCore

/// A function that runs for each input.
struct FuzzTarget: Sendable {
    /// The name of the target, and of its folder in `Corpus`.
    let name: String
    let run: @Sendable (Data) -> Void

    init(_ name: String, _ run: @escaping @Sendable (Data) -> Void) {
        (self.name, self.run) = (name, run)
    }

    static let all: [FuzzTarget] = [
        .br, .challenges, .charset, .contentDisposition, .deflate, .form, .gzip, .head, .headers,
        .httpDate, .json, .lines, .link, .mediaType, .multipart, .sse, .structuredFields, .uri,
        .uriTemplate, .zstd,
    ]

    /// The target that the environment variable names, or `nil` without a valid name.
    static let chosen = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"]
        return all.first { $0.name == name }
    }()
}

/// Ends the program if a law of the library does not hold. libFuzzer then keeps the input.
func require(_ holds: Bool, _ law: @autoclosure () -> String) {
    if !holds { fatalError("broken: \(law())") }
}

/// Requires equality by bytes: `==` of strings treats canonically equivalent strings as equal.
func requireSame(_ a: String, _ b: String, _ law: @autoclosure () -> String) {
    require(a.utf8.elementsEqual(b.utf8), "\(law()): \(a.debugDescription), \(b.debugDescription)")
}

/// Requires that a value, once written, reads back equal and is then written in the same way.
func requireRoundTrip<Value: Equatable>(
    _ value: Value, _ write: (Value) -> String, _ read: (String) throws -> Value?
) {
    let text = write(value)
    let again: Value?
    do { again = try read(text) } catch {
        fatalError("broken: \(text.debugDescription) is refused: \(error)")
    }
    guard let again else { fatalError("broken: \(text.debugDescription) is refused") }
    require(again == value, "\(text.debugDescription) reads back as \(again), was \(value)")
    requireSame(write(again), text, "\(Value.self) is written in two ways")
}
