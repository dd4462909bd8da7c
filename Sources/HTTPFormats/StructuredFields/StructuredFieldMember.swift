import HTTPCore

extension StructuredField {
    /// A member of a list or a dictionary.
    public enum Member: Hashable, Sendable {
        case item(Item)
        case innerList(InnerList)

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
