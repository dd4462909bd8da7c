import HTTPCore
import Testing

@testable import HTTPTransportCurl

@Suite struct TransfersTableTests {
    @Test func `a transfer has its number until it is removed`() throws {
        let rig = try TransferRig()
        let request = try HTTPRequest(.get, "http://localhost/")
        var table = Transfers.Table()
        #expect(table[0] == nil && table[-1] == nil && table.all.isEmpty)
        let transfers = try [0, 1, 2].map { try rig.transfer(request, slot: $0) }
        for transfer in transfers { table.add(transfer) }
        table.remove(transfers[1])
        #expect(table[1] == nil && table[2] === transfers[2])
        #expect(table.all.map(\.slot) == [0, 2])
        #expect(table.first { $0.slot > 0 } === transfers[2])
        let next = try rig.transfer(request, slot: 1)
        table.add(next)
        #expect(table[1] === next)
        for transfer in [transfers[0], next, transfers[2]] { table.remove(transfer) }
        #expect(table.all.isEmpty)
    }
}
