import FoundationEssentials
import HTTPCore

/// What is done with each input.
struct FuzzTarget: Sendable {
    /// As its folder in `Corpus`.
    let name: String
    let run: @Sendable (Data) -> Void

    init(_ name: String, _ run: @escaping @Sendable (Data) -> Void) {
        (self.name, self.run) = (name, run)
    }

    static let all: [FuzzTarget] = [
        .challenges, .charset, .contentDisposition, .form, .headers, .httpDate, .json, .lines,
        .link, .mediaType, .multipart, .sse, .structuredFields, .uri, .uriTemplate,
    ]

    /// The one that the environment names; without a name none.
    static let chosen = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"]
        return all.first { $0.name == name }
    }()
}

/// Ends the program when a law of the library does not hold; libFuzzer then keeps the input.
func require(_ holds: Bool, _ law: @autoclosure () -> String) {
    if !holds { fatalError("broken: \(law())") }
}

/// Equality by bytes: `==` of strings takes canonically equivalent ones for equal.
func requireSame(_ a: String, _ b: String, _ law: @autoclosure () -> String) {
    require(a.utf8.elementsEqual(b.utf8), "\(law()): \(a.debugDescription), \(b.debugDescription)")
}

/// What was read, when written, reads back equal, and is then written the same.
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
