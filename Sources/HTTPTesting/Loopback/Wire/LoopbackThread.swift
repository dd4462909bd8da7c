import PortableLibc

/// A thread that can be joined. Uses pthreads, because `Thread` belongs to Foundation.
struct LoopbackThread: Sendable {
    #if canImport(Glibc)
        private let id: pthread_t
    #else
        // Sendable: the identifier of a thread, which is never dereferenced here.
        nonisolated(unsafe) private let id: pthread_t
    #endif

    private final class Start {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Runs `body` on a new thread.
    init(_ body: sending @escaping () -> Void) throws(LoopbackError) {
        let start = unsafe Unmanaged.passRetained(Start(body))
        #if canImport(Glibc)
            var id = pthread_t()
        #else
            var id: pthread_t?
        #endif
        let result = unsafe pthread_create(
            &id, nil,
            { argument in
                #if canImport(Darwin)
                    let start = unsafe Unmanaged<Start>.fromOpaque(argument)
                #else
                    guard let argument = unsafe argument else { return nil }
                    let start = unsafe Unmanaged<Start>.fromOpaque(argument)
                #endif
                unsafe start.takeRetainedValue().body()
                return nil
            }, start.toOpaque())
        #if canImport(Glibc)
            let made: pthread_t? = result == 0 ? id : nil
        #else
            let made = result == 0 ? id : nil
        #endif
        guard let made else {
            unsafe start.release()
            throw .cannotListen(reason: "pthread_create failed with error \(result)")
        }
        self.id = made
    }

    var isCurrent: Bool { pthread_equal(pthread_self(), id) != 0 }

    /// Waits for the end of the thread. Call either this or ``detach()``, once.
    func join() { _ = pthread_join(id, nil) }

    func detach() { pthread_detach(id) }
}
