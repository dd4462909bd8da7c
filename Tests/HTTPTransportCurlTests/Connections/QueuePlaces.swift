/// How many elements the arrays inside `value` have room for in their order, taken or not: what a
/// queue costs that never empties.
func places(in value: Any) -> Int {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .collection { return mirror.children.count }
    return mirror.children.reduce(0) { $0 + places(in: $1.value) }
}
