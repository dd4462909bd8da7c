import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Calls a closure for signals. Unlike a signal handler, the closure may run any code.
final class Signals {
    private let sources: [any DispatchSourceSignal]

    /// Calls `handler` with the number of each signal, one at a time, on a system thread.
    init(_ signals: [Int32], _ handler: @escaping @Sendable (Int32) -> Void) {
        let queue = DispatchQueue(label: "signals")
        sources = signals.map { number in
            // A dispatch source only sees signals that would otherwise be ignored.
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { handler(number) }
            source.resume()
            return source
        }
    }

    /// Stops the calls. The signals are then ignored.
    func stop() { for source in sources { source.cancel() } }
}
