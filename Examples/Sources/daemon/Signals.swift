import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Signals as calls of a closure, which may do what a signal handler must not.
final class Signals {
    private let sources: [any DispatchSourceSignal]

    /// Calls `handler` with the signal's number, one at a time, on a thread of the system's.
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

    /// From now on they are ignored.
    func stop() { for source in sources { source.cancel() } }
}
