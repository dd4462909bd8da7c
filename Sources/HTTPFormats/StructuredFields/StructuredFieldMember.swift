import HTTPCore

extension StructuredField {
    /// A member of a list or a dictionary.
    public enum Member: Hashable, Sendable {
        /// A single item.
        case item(Item)
        /// A list in parentheses.
        case innerList(InnerList)

        /// The parameters of the item or of the inner list.
        public var parameters: Parameters {
            switch self {
            case .item(let item): item.parameters
            case .innerList(let list): list.parameters
            }
        }

        /// The value of an item without its parameters; `nil` for an inner list.
        public var value: BareItem? { if case .item(let item) = self { item.value } else { nil } }
    }
}
