/// Returns the number of elements in the arrays inside `value`, used or not: the cost of a queue
/// that never empties.
func places(in value: Any) -> Int {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .collection { return mirror.children.count }
    return mirror.children.reduce(0) { $0 + places(in: $1.value) }
}
