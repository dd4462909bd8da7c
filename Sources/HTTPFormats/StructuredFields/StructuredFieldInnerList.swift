import HTTPCore

extension StructuredField {
    /// A list of items in parentheses, with parameters of its own (RFC 9651 §3.1.1).
    public struct InnerList: Hashable, Sendable {
        public var items: [Item]
        public var parameters: Parameters

        public init(_ items: [Item], parameters: Parameters = Parameters()) {
            self.items = items
            self.parameters = parameters
        }
    }
}
