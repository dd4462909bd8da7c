package import Testing

/// The rows of Docs/Features.md to which a test holds the package.
///
/// The trait changes nothing about the test. `Scripts/rows` reads it in the source.
package struct Rows: TestTrait {
    package let names: [String]
}

extension Trait where Self == Rows {
    /// Names the rows of a test one by one, such as `S0-12`.
    package static func rows(_ names: String...) -> Self { Self(names: names) }
}
