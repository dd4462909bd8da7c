import HTTPCore

extension StructuredField {
    /// A list of items in parentheses, with parameters of its own (RFC 9651 §3.1.1).
    package struct InnerList: Hashable, Sendable {
        package var items: [Item]
        package var parameters: Parameters

        package init(_ items: [Item], parameters: Parameters = Parameters()) {
            self.items = items
            self.parameters = parameters
        }
    }
}
