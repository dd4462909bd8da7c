import HTTPCore

/// A message of a task, or of a look-up, to the loop.
enum LoopCommand: Sendable {
    case submit(Exchange)
    /// Ends the exchange with this error, unless it is over.
    case fail(Exchange, any Error)
    case abandon(Exchange)
    /// The same as `abandon`, but also resumes the waiter once the connection is free.
    case discard(Exchange, Waiter<Void>)
    case resumeReceiving(Exchange)
    case resumeSending(Exchange)
    /// The resolver has ended.
    case answered(HostLookups.Question, Result<HostAddresses, any Error>)
    /// The system has found these addresses of a host.
    case found([IPAddress], of: String)
    case statistics(Waiter<CurlStatistics>)
    /// No more exchanges will be submitted.
    case release
    /// Waits for running exchanges for this long, then fails the rest.
    case close(Duration)
}

/// The loop as an exchange sees it.
protocol ExchangeLoop: AnyObject, Sendable {
    /// `true` if this is called on the loop's thread.
    var isOwnThread: Bool { get }

    /// Posts a command from any thread. Returns the reason if the command was not accepted, or
    /// `nil`.
    func post(_ command: LoopCommand) -> HTTPError?
}
