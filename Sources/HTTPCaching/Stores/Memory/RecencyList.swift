/// Elements in the order of their use. All operations take constant time.
///
/// An element keeps its position in memory, its ``Place``, until it is removed.
struct RecencyList<Element> {
    typealias Place = Int

    private struct Node {
        /// `nil` in a node that is free.
        var element: Element?
        /// The next node that was used less recently; in a free node, the next free one.
        var older: Place?
        var newer: Place?
    }

    private var nodes: [Node] = []
    private var free: Place?
    private var newest: Place?
    private(set) var oldest: Place?

    /// Returns the element at a place, and `nil` if it was removed.
    subscript(place: Place) -> Element? { nodes[place].element }

    /// Adds an element as the one used last.
    mutating func insert(_ element: Element) -> Place {
        let place: Place
        if let free {
            place = free
            self.free = nodes[place].older
            nodes[place] = Node(element: element)
        } else {
            place = nodes.count
            nodes.append(Node(element: element))
        }
        attach(place)
        return place
    }

    /// Makes the element the one used last.
    mutating func use(_ place: Place) {
        guard place != newest else { return }
        detach(place)
        attach(place)
    }

    /// Changes the element in place.
    @discardableResult
    mutating func change<Result>(
        _ place: Place, _ body: (inout Element) -> Result
    ) -> Result? {
        // Taken out, so that the change does not copy the element's arrays.
        guard var element = nodes[place].element.take() else { return nil }
        let result = body(&element)
        nodes[place].element = element
        return result
    }

    mutating func remove(_ place: Place) -> Element? {
        guard let element = nodes[place].element.take() else { return nil }
        detach(place)
        nodes[place] = Node(older: free)
        free = place
        return element
    }

    private mutating func attach(_ place: Place) {
        nodes[place].older = newest
        nodes[place].newer = nil
        if let newest { nodes[newest].newer = place } else { oldest = place }
        newest = place
    }

    private mutating func detach(_ place: Place) {
        let (older, newer) = (nodes[place].older, nodes[place].newer)
        if let older { nodes[older].newer = newer } else { oldest = newer }
        if let newer { nodes[newer].older = older } else { newest = older }
    }
}
