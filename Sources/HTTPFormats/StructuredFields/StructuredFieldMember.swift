import HTTPCore

extension StructuredField {
    /// What a list or a dictionary holds.
    public enum Member: Hashable, Sendable {
        case item(Item)
        case innerList(InnerList)

        public var parameters: Parameters {
            switch self {
            case .item(let item): item.parameters
            case .innerList(let list): list.parameters
            }
        }

        /// The value of an item, without its parameters.
        public var value: BareItem? { if case .item(let item) = self { item.value } else { nil } }
    }
}
