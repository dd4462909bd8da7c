import HTTPCore
import Testing

@Suite struct LockedTests {
    private final class Counter: Sendable {
        let state = Locked(0)
    }

    @Test func `nothing is lost when many tasks change the state`() async {
        let counter = Counter()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1000 { counter.state.withLock { $0 += 1 } } }
            }
        }
        #expect(counter.state.withLock { $0 } == 8000)
    }

    @Test func `a throw leaves the lock free and the error as it was`() {
        let locked = Locked(0)
        let error = #expect(throws: SystemError.self) {
            try locked.withLock { state throws(SystemError) in
                state = 1
                throw SystemError(2)
            }
        }
        #expect(error == SystemError(2))
        #expect(error.map { "\($0)" } == "No such file or directory")
        #expect(locked.withLock { $0 } == 1)
    }

    @Test func `the state goes when the lock goes`() {
        final class Witness {}
        weak var witness: Witness?
        do {
            let locked = Locked<Witness?>(Witness())
            locked.withLock { witness = $0 }
            #expect(witness != nil)
        }
        #expect(witness == nil)
    }

    @Test func `a state is aligned, however wide it is`() {
        struct Wide {
            var lanes = SIMD8<Double>(repeating: 1)
        }
        let locks = (0..<16).map { _ in Box(Wide()) }
        for box in locks {
            box.state.withLock { state in
                unsafe withUnsafePointer(to: &state) { place in
                    #expect(Int(bitPattern: place) % MemoryLayout<Wide>.alignment == 0)
                }
                state.lanes += 1
            }
        }
        #expect(locks.allSatisfy { $0.state.withLock { $0.lanes } == SIMD8(repeating: 2) })
    }

    private final class Box<State: Sendable>: Sendable {
        let state: Locked<State>

        init(_ state: State) { self.state = Locked(state) }
    }
}
