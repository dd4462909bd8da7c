package import PortableLibc

/// One lock around one state value.
///
/// This is a pthread mutex rather than `Synchronization.Mutex`: ThreadSanitizer on Linux does not
/// see the happens-before edges of the latter and reports races that do not exist. A report must
/// always be a finding.
///
/// Never resume a continuation or call foreign code inside `withLock`.
// @unchecked: the state is reached only between lock and unlock of the mutex beside it, and both
// live at one heap address from `init` to `deinit`.
@safe package struct Locked<State: ~Copyable>: ~Copyable, @unchecked Sendable {
    /// The memory of a mutex and, after it, the state. A struct of both would be generic, and each
    /// lock would look up its metadata where the compiler does not specialize.
    @usableFromInline let memory: UnsafeMutableRawPointer

    @inlinable package init(_ initialState: consuming sending State) {
        unsafe memory = allocated(
            Self.offset + MemoryLayout<State>.size, alignment: MemoryLayout<State>.alignment)
        unsafe memory.initializeMemory(as: pthread_mutex_t.self, to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe state.initialize(to: initialState)
    }

    @inlinable deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe state.deinitialize(count: 1)
        unsafe free(memory)
    }

    @inline(__always) @inlinable
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&state.pointee)
    }

    /// Runs `body`, unless another thread holds the lock: then returns `nil` without waiting. A
    /// lock that was held when the process forked stays held in the child.
    @inline(__always) @inlinable
    package borrowing func withLockIfFree<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard unsafe pthread_mutex_trylock(mutex) == 0 else { return nil }
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&state.pointee)
    }

    /// The offset of the state: after the mutex, aligned for the state.
    @inlinable static var offset: Int {
        let alignment = MemoryLayout<State>.alignment
        let size = unsafe MemoryLayout<pthread_mutex_t>.size
        return (size + alignment - 1) / alignment * alignment
    }

    @inlinable var mutex: UnsafeMutablePointer<pthread_mutex_t> {
        unsafe memory.assumingMemoryBound(to: pthread_mutex_t.self)
    }

    @inlinable var state: UnsafeMutablePointer<State> {
        unsafe (memory + Self.offset).assumingMemoryBound(to: State.self)
    }
}

/// Returns `count` bytes that `free` frees. `UnsafeMutableRawPointer.allocate` would always use
/// `posix_memalign`, which costs several times as much as `malloc`.
@usableFromInline package func allocated(
    _ count: Int, alignment: Int = 1
) -> UnsafeMutableRawPointer {
    var memory: UnsafeMutableRawPointer?
    // `malloc` aligns memory to two words or more.
    if alignment <= 2 * MemoryLayout<Int>.size {
        unsafe memory = malloc(count)
    } else if unsafe posix_memalign(&memory, alignment, count) != 0 {
        unsafe memory = nil
    }
    // Without memory, the program ends here, as it does if an object cannot be made.
    return unsafe memory ?? .allocate(byteCount: count, alignment: alignment)
}
