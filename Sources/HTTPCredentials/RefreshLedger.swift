/// The epochs of a refresh, which decide whether an attempt needs one. Knows no task.
///
/// Every refresh that ends, well or not, begins a new epoch. An attempt remembers the epoch it was
/// sent in. If that epoch is over, the attempt was sent before the last refresh and must not start
/// another.
package struct RefreshLedger<Value: Sendable>: Sendable {
    package private(set) var epoch = 0
    private var last: Result<Value, any Error>?

    package init() {}

    /// Returns the end of the last refresh, or `nil` for an attempt that is a reason to refresh.
    ///
    /// - Parameter epoch: `nil` if the epoch of the attempt is unknown.
    package func result(forSentIn epoch: Int?) -> Result<Value, any Error>? {
        guard let epoch, epoch < self.epoch else { return nil }
        return last
    }

    /// Begins an epoch.
    ///
    /// - Parameter result: `nil` if there is neither a value nor a failure.
    package mutating func end(with result: Result<Value, any Error>?) {
        epoch += 1
        last = result
    }
}
