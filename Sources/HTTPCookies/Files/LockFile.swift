import HTTPCore
import PortableLibc

/// A file that exists only to be locked, against other processes and against other jars in this
/// one.
struct LockFile: Sendable {
    private let descriptor: Int32

    /// Takes the lock. Waits on real time and without blocking a thread.
    ///
    /// - Throws: `cookiesNotSaved` if the lock file cannot be opened, or another process has held
    ///   the lock for `patience`.
    static func taking(
        _ path: String, within patience: Duration
    ) async throws(HTTPError) -> LockFile {
        let lock = try await FileLock.waiting(
            patience, every: .milliseconds(5)
        ) { () throws(HTTPError) in try attempt(path) }
        guard let lock else {
            throw HTTPError(
                .cookiesNotSaved,
                "another process has held the lock \(path.logSafe) for \(patience.readable)",
                isRetryable: true)
        }
        return lock
    }

    /// Returns the lock, or `nil` if it is taken.
    private static func attempt(_ path: String) throws(HTTPError) -> LockFile? {
        let descriptor = unsafe open(
            path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw .cookieFile(path, "opened", errno) }
        let isLocked: Bool
        do throws(SystemError) {
            isLocked = try FileLock.take(descriptor)
        } catch {
            _ = close(descriptor)
            throw .cookieFile(path, "locked", error.code)
        }
        let lock = LockFile(descriptor: descriptor)
        guard isLocked, FileLock.isName(path, of: descriptor) else {
            lock.release()
            return nil
        }
        return lock
    }

    func release() {
        FileLock.release(descriptor)
        _ = close(descriptor)
    }
}
