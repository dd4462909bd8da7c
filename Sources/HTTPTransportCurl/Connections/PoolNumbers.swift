/// The numbers of the loop's pools: those that the exchanges of all lanes share, and those that
/// carry one exchange at a time.
///
/// A number is an index. Pools are made in the order of their numbers, and the last one goes first.
struct PoolNumbers {
    /// The shared pools, by their place in ``PoolPlaces``.
    private var shared: [Int] = []
    /// The single pools that no exchange uses, the last used one last.
    private var free: [Int] = []
    private(set) var count = 0

    /// Returns the number of a shared pool. It may be a new one.
    mutating func shared(at place: Int) -> Int {
        while shared.count <= place { shared.append(add()) }
        return shared[place]
    }

    /// Returns the number of a pool that no other exchange uses. It may be a new one.
    mutating func takeSingle() -> Int { free.popLast() ?? add() }

    /// An exchange has left its single pool.
    mutating func giveBack(_ number: Int) { free.append(number) }

    private mutating func add() -> Int {
        count += 1
        return count - 1
    }

    /// The last pool, which no exchange uses, is gone.
    mutating func removeLast() {
        guard count > 0 else { return }
        count -= 1
        if shared.last == count { shared.removeLast() }
        free.removeAll { $0 == count }
    }
}
