/// An `Optional` of any type, for code that finds one in an `Any` or a generic type.
protocol AnyOptional {
    static var none: Self { get }
    /// The value, or `nil` if there is none.
    var wrapped: Any? { get }
}

extension Optional: AnyOptional {
    var wrapped: Any? { map { $0 as Any } }
}
