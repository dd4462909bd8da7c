import HTTPCore
import Testing

@testable import HTTPTransportCurl

@Suite struct TransferTableTests {
    private let rig: TransferRig
    private let request: HTTPRequest

    init() throws {
        rig = try TransferRig()
        request = try HTTPRequest(.get, "http://localhost/")
    }

    private func add(to table: inout TransferTable) throws -> Transfer {
        let transfer = try rig.transfer(request, slot: table.freeSlot)
        table.add(transfer)
        return transfer
    }

    @Test func `a number is used again once its transfer is over`() throws {
        var table = TransferTable()
        #expect(table.isEmpty && table[0] == nil && table[-1] == nil)
        let transfers = try (0..<3).map { _ in try add(to: &table) }
        #expect(transfers.map(\.slot) == [0, 1, 2])
        table.remove(transfers[1])
        #expect(table[1] == nil && table[2] === transfers[2])
        #expect(table.all.map(\.slot) == [0, 2])
        let next = try add(to: &table)
        #expect(next.slot == 1 && table[1] === next)
        for transfer in [transfers[0], next, transfers[2]] { table.remove(transfer) }
        #expect(table.isEmpty && table.all.isEmpty)
    }

    @Test func `limits come in the order of their times, once each`() throws {
        var table = TransferTable()
        let transfers = try (0..<3).map { _ in try add(to: &table) }
        #expect(table.nextDue == nil)
        table.set(transfers[0], dueAt: 30)
        table.set(transfers[1], dueAt: 10)
        table.set(transfers[2], dueAt: 20)
        #expect(table.nextDue == 10)
        #expect(table.popDue(at: 9) == nil)
        #expect(table.popDue(at: 25) === transfers[1])
        #expect(table.popDue(at: 25) === transfers[2])
        #expect(table.popDue(at: 25) == nil)
        table.set(transfers[0], dueAt: 20)
        #expect(table.popDue(at: 25) === transfers[0])
        #expect(table.nextDue == nil)
    }

    @Test func `a limit goes with its transfer, and the next with its number has none`() throws {
        var table = TransferTable()
        let first = try add(to: &table)
        table.set(first, dueAt: 10)
        table.remove(first)
        #expect(table.nextDue == nil)
        let second = try add(to: &table)
        #expect(second.slot == first.slot)
        #expect(table.popDue(at: 100) == nil)
    }
}
