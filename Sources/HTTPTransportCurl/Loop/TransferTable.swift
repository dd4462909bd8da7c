import HTTPCore

/// The transfers of a loop by their numbers, and the times at which their limits are due.
///
/// A number is used again once its transfer is over.
struct TransferTable {
    private var transfers: [Transfer?] = []
    private var freeSlots: [Int] = []
    private var deadlines = DeadlineHeap()

    var isEmpty: Bool { transfers.count == freeSlots.count }

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

    /// The number of the next transfer that is added.
    var freeSlot: Int { freeSlots.last ?? transfers.count }

    /// Adds a transfer that has the number ``freeSlot``.
    mutating func add(_ transfer: Transfer) {
        if freeSlots.popLast() == nil {
            transfers.append(transfer)
        } else {
            transfers[transfer.slot] = transfer
        }
    }

    mutating func remove(_ transfer: Transfer) {
        deadlines.remove(transfer.slot)
        transfers[transfer.slot] = nil
        freeSlots.append(transfer.slot)
    }

    // MARK: Limits

    mutating func set(_ transfer: Transfer, dueAt time: Int64) {
        deadlines.set(transfer.slot, to: time)
    }

    /// The time at which the next limit is due.
    var nextDue: Int64? { deadlines.next }

    /// Returns the next transfer of which a limit is due, and forgets when it was.
    mutating func popDue(at now: Int64) -> Transfer? {
        while let slot = deadlines.popDue(at: now) {
            if let transfer = transfers[slot] { return transfer }
        }
        return nil
    }
}
