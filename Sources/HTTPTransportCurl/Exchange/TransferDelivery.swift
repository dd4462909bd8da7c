import HTTPCore

/// The next delivery of a transfer to its caller and observer.
struct TransferDelivery {
    /// `true` if something has happened since the last one.
    var isDue = false
    /// `true` if the caller has the response's head.
    var hasHead = false
    /// The events that the observer is told of.
    var events: [HTTPEvent.Kind] = []
    /// The tasks that wait for the end of a response that is dropped.
    var discarding: [Waiter<Void>] = []
}
