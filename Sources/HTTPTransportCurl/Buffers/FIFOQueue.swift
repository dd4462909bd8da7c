/// A first-in, first-out queue. Removing the first element is O(1) amortised, and the storage of a
/// queue that is never empty does not keep growing.
struct FIFOQueue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 32, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Replaces the first element.
    mutating func replaceFirst(_ element: Element) {
        if !isEmpty { elements[head] = element }
    }

    /// - Complexity: O(*n*).
    mutating func removeFirst(where matches: (Element) -> Bool) {
        guard let index = elements[head...].firstIndex(where: { $0.map(matches) == true }) else {
            return
        }
        elements.remove(at: index)
        if isEmpty { removeAll() }
    }

    mutating func removeAll() {
        elements.removeAll()
        head = 0
    }
}
