/// The transfers of a loop by the numbers that the scheduler gives them.
struct TransferTable {
    private var transfers: [Transfer?] = []

    /// All transfers that are not over.
    var all: [Transfer] { transfers.compactMap(\.self) }

    /// Returns a transfer that is not over, or `nil` if none fits.
    func first(where fits: (Transfer) -> Bool) -> Transfer? {
        for case let transfer? in transfers where fits(transfer) { return transfer }
        return nil
    }

    subscript(slot: Int) -> Transfer? {
        transfers.indices.contains(slot) ? transfers[slot] : nil
    }

    mutating func add(_ transfer: Transfer) {
        while transfers.count <= transfer.slot { transfers.append(nil) }
        transfers[transfer.slot] = transfer
    }

    mutating func remove(_ transfer: Transfer) { transfers[transfer.slot] = nil }
}
