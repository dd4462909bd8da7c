import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Turns Ctrl-C into a call of a closure; one that comes a second later ends the program at once.
final class Interrupt {
    private let source: any DispatchSourceSignal

    /// Calls `handler` on a thread of the system's.
    init(_ handler: @escaping @Sendable () -> Void) {
        // A dispatch source only sees signals that would otherwise be ignored.
        _ = signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT)
        source.setEventHandler {
            handler()
            // Not at once: shells and wrappers tend to send the signal twice.
            DispatchQueue.global().asyncAfter(deadline: .now() + 1) { _ = signal(SIGINT, SIG_DFL) }
        }
        source.resume()
    }

    func stop() {
        source.cancel()
        _ = signal(SIGINT, SIG_DFL)
    }
}
