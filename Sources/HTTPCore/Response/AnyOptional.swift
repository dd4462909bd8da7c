/// An `Optional` of any type, for code that finds one in an `Any` or a generic type.
package protocol AnyOptional {
    static var none: Self { get }
    /// The value, or `nil` if there is none.
    var wrapped: Any? { get }
}

extension Optional: AnyOptional {
    package var wrapped: Any? { map { $0 as Any } }
}
