import Testing

@testable import HTTPTransportURLSession

@Suite struct ReceiveLedgerTests {
    @Test func `up to the threshold bytes stay in memory`() {
        var ledger = ReceiveLedger(threshold: 100)
        #expect(ledger.place(60) == .memory)
        #expect(ledger.place(40) == .memory)
        #expect(ledger.place(1) == .file(at: 0))
    }

    @Test func `once in the file, later bytes follow until it is read empty`() {
        var ledger = ReceiveLedger(threshold: 100)
        #expect(ledger.place(100) == .memory)
        #expect(ledger.place(50) == .file(at: 0))
        #expect(!ledger.isEmpty)
        ledger.wrote(50)
        #expect(ledger.next() == .memory)
        ledger.tookFromMemory(100)
        #expect(ledger.place(10) == .file(at: 50))
        #expect(ledger.next() == .file(at: 0, count: 50))
        ledger.tookFromFile(50)
        #expect(ledger.next() == .nothing)
        #expect(!ledger.isEmpty)
        ledger.wrote(10)
        #expect(ledger.next() == .file(at: 50, count: 10))
        ledger.tookFromFile(10)
        #expect(ledger.isEmpty)
        #expect(ledger.place(10) == .memory)
    }

    @Test func `the file is used from its start again once it is empty`() {
        var ledger = ReceiveLedger(threshold: 0)
        #expect(ledger.place(7) == .file(at: 0))
        ledger.wrote(7)
        ledger.tookFromFile(7)
        #expect(ledger.place(7) == .file(at: 0))
    }

    @Test func `memory never holds more than the threshold, whatever the reader does`() {
        var random = SystemRandomNumberGenerator()
        var ledger = ReceiveLedger(threshold: 1000)
        var memory: [Int] = []
        var file: [Int] = []
        var sent = 0
        var taken = 0
        for _ in 0..<2_000 {
            if Bool.random(using: &random) {
                let count = Int.random(in: 1...300, using: &random)
                switch ledger.place(count) {
                case .memory: memory += Array(sent..<sent + count)
                case .file(let offset):
                    file.replaceSubrange(Int(offset)..., with: sent..<sent + count)
                    ledger.wrote(count)
                }
                sent += count
            } else {
                switch ledger.next() {
                case .memory:
                    let count = Int.random(in: 1...memory.count, using: &random)
                    #expect(memory.prefix(count).elementsEqual(taken..<taken + count))
                    memory.removeFirst(count)
                    ledger.tookFromMemory(count)
                    taken += count
                case .file(let offset, let count):
                    #expect(
                        file[Int(offset)..<Int(offset) + count].elementsEqual(taken..<taken + count)
                    )
                    ledger.tookFromFile(count)
                    taken += count
                case .nothing: #expect(taken == sent)
                }
            }
            #expect(memory.count <= 1000)
        }
    }
}
