import HTTPCore
import PortableLibc

/// An exclusive lock of a file that exists only to be locked, against other processes and against
/// other jars in this one.
struct FileLock: Sendable {
    private static let interval = Duration.milliseconds(5)

    private let descriptor: Int32

    /// Takes the lock. Waits on real time and without blocking a thread.
    ///
    /// - Throws: `cookiesNotSaved` if the lock file cannot be opened, or another process has held
    ///   the lock for `patience`.
    static func taking(
        _ path: String, within patience: Duration
    ) async throws(HTTPError) -> FileLock {
        let clock = HTTPSystemClock()
        let deadline = clock.now + patience
        while true {
            if let lock = try attempt(path) { return lock }
            guard clock.now < deadline else {
                throw HTTPError(
                    .cookiesNotSaved,
                    "another process has held the lock \(path.logSafe) for \(patience.readable)",
                    isRetryable: true)
            }
            // In a task of its own, because a cancelled task saves, too.
            await Task.detached { try? await clock.sleep(for: interval) }.value
        }
    }

    /// Returns the lock, or `nil` if it is taken.
    private static func attempt(_ path: String) throws(HTTPError) -> FileLock? {
        let descriptor = unsafe open(
            path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw .cookieFile(path, "opened", errno) }
        let lock = FileLock(descriptor: descriptor)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = errno
            _ = close(descriptor)
            guard error == EWOULDBLOCK || error == EINTR else {
                throw .cookieFile(path, "locked", error)
            }
            return nil
        }
        // The file may have been removed between opening and locking.
        var opened = stat()
        var named = stat()
        guard unsafe fstat(descriptor, &opened) == 0, unsafe lstat(path, &named) == 0,
            opened.st_ino == named.st_ino, opened.st_dev == named.st_dev
        else {
            lock.release()
            return nil
        }
        return lock
    }

    /// Releases the lock. Closing alone would leave it locked while a process that has just been
    /// started has a copy of the descriptor, between `fork` and `exec`.
    func release() {
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }
}
