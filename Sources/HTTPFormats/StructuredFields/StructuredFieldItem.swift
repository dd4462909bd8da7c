extension StructuredField {
    /// A value with its parameters: a field, or a member of a list or dictionary (RFC 9651 §3.3).
    public struct Item: Hashable, Sendable {
        /// The value without its parameters.
        public var value: BareItem
        /// The parameters, such as `q=0.5`.
        public var parameters: Parameters

        /// Creates an item with its parameters.
        public init(_ value: BareItem, parameters: Parameters = Parameters()) {
            self.value = value
            self.parameters = parameters
        }
    }
}
