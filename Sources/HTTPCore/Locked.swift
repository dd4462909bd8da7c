#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One lock around one state value.
///
/// A pthread mutex rather than `Synchronization.Mutex`: ThreadSanitizer on Linux does not see the
/// latter's happens-before edges and reports races that are not there, and a report must always be
/// a finding.
///
/// Never resume a continuation or call foreign code inside `withLock`.
// @unchecked: the state is reached only between lock and unlock of the mutex beside it, and both
// live at one heap address from `init` to `deinit`.
@safe package struct Locked<State>: ~Copyable, @unchecked Sendable {
    @unsafe private struct Cell {
        var mutex: pthread_mutex_t
        var state: State
    }

    private let cell: UnsafeMutablePointer<Cell>

    package init(_ initialState: sending State) {
        unsafe cell = .allocate(capacity: 1)
        unsafe cell.initialize(to: Cell(mutex: pthread_mutex_t(), state: initialState))
        unsafe pthread_mutex_init(&cell.pointee.mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(&cell.pointee.mutex)
        unsafe cell.deinitialize(count: 1)
        unsafe cell.deallocate()
    }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(&cell.pointee.mutex)
        defer { unsafe pthread_mutex_unlock(&cell.pointee.mutex) }
        return try unsafe body(&cell.pointee.state)
    }
}
