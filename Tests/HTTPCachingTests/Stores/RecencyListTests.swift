import HTTPCore
import TestSupport
import Testing

@testable import HTTPCaching

@Suite struct RecencyListTests {
    @Test func `the oldest element is the one that was not used for the longest time`() {
        var list = RecencyList<String>()
        let a = list.insert("a")
        let b = list.insert("b")
        let c = list.insert("c")
        list.use(a)
        #expect(list.oldest == b)
        var removed = [list.remove(b)]
        removed.append(list.remove(b))
        #expect(removed == ["b", nil])
        #expect(list[b] == nil)
        #expect(list.oldest == c)
        let d = list.insert("d")
        #expect(d == b)
        list.use(c)
        #expect(list.oldest == a)
        list.change(a) { $0 += "!" }
        #expect(list[a] == "a!")
    }

    @Test func `the order is that of a simple list`() {
        var list = RecencyList<Int>()
        var model: [(place: Int, element: Int)] = []
        var random = SeededRandom(3)
        for number in 0..<TestCounts.scaled(50_000) {
            let chosen = model.isEmpty ? 0 : Int(random.next() % UInt64(model.count))
            switch random.next() % 4 {
            case 0, 1: model.append((list.insert(number), number))
            case 2 where !model.isEmpty:
                list.use(model[chosen].place)
                model.append(model.remove(at: chosen))
            case 3 where !model.isEmpty:
                let expected = model.remove(at: chosen)
                let removed = list.remove(expected.place)
                #expect(removed == expected.element)
            default: break
            }
            #expect(list.oldest == model.first?.place)
        }
        while let oldest = list.oldest {
            let removed = list.remove(oldest)
            #expect(removed == model.removeFirst().element)
        }
        #expect(model.isEmpty)
    }
}
