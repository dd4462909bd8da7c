/// Decides for an unauthorized attempt whether credentials have to be refreshed for it. Knows no task.
///
/// Every refresh that ends, well or not, begins a new epoch. An attempt remembers the epoch it was sent
/// in: if that is over, it was sent with credentials that somebody has replaced since, or found to be
/// beyond help, and must not start another refresh.
struct RefreshLedger<Fresh: Sendable>: Sendable {
    enum Advice: Sendable {
        case refresh
        /// A refresh has succeeded since the attempt was sent.
        case sendAgain(Fresh)
        /// A refresh has failed since the attempt was sent.
        case fail(any Error)
    }

    private(set) var epoch = 0
    private var last: Result<Fresh, any Error>?

    /// - Parameter epoch: `nil` where nobody noted it.
    func advice(forSentIn epoch: Int?) -> Advice {
        guard let epoch, epoch < self.epoch, let last else { return .refresh }
        return switch last {
        case .success(let fresh): .sendAgain(fresh)
        case .failure(let error): .fail(error)
        }
    }

    mutating func ended(_ result: Result<Fresh, any Error>) {
        epoch += 1
        last = result
    }
}
