import HTTPCore

extension StructuredField {
    /// A list of items in parentheses, with parameters of its own (RFC 9651 §3.1.1).
    public struct InnerList: Hashable, Sendable {
        /// The items, in order.
        public var items: [Item]
        /// The parameters of the list itself.
        public var parameters: Parameters

        /// Creates an inner list, written in parentheses (RFC 9651 §3.1.1).
        public init(_ items: [Item], parameters: Parameters = Parameters()) {
            self.items = items
            self.parameters = parameters
        }
    }
}
