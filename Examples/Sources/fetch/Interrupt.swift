import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Calls a closure on Ctrl-C. After one second, another Ctrl-C ends the program at once.
final class Interrupt {
    private let source: any DispatchSourceSignal

    /// Calls `handler` on a system thread.
    init(_ handler: @escaping @Sendable () -> Void) {
        // A dispatch source only sees signals that would otherwise be ignored.
        _ = signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT)
        source.setEventHandler {
            handler()
            // Delayed, because shells and wrappers often send the signal twice.
            DispatchQueue.global().asyncAfter(deadline: .now() + 1) { _ = signal(SIGINT, SIG_DFL) }
        }
        source.resume()
    }

    func stop() {
        source.cancel()
        _ = signal(SIGINT, SIG_DFL)
    }
}
