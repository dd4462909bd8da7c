import PortableLibc

/// The exclusive lock of an open file, against all other holders: other processes, and other
/// descriptors in this one.
package enum FileLock {
    /// Locks the file, without waiting.
    ///
    /// - Returns: `false` if another holder has the lock.
    package static func take(_ descriptor: Int32) throws(SystemError) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw SystemError(errno) }
        }
        return true
    }

    /// Unlocks the file. Closing alone would leave it locked while a process that has just been
    /// started has a copy of the descriptor, between `fork` and `exec`.
    package static func release(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }

    /// Returns `true` if `path` is a name of the open file, which may have been removed or replaced
    /// before it was locked. A symbolic link is not followed.
    package static func isName(_ path: String, of descriptor: Int32) -> Bool {
        var opened = stat()
        var named = stat()
        return unsafe fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
            && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }

    /// Calls `attempt` until it returns a lock.
    ///
    /// No event tells that the lock of another process is free. The waits are on real time, as for
    /// all input and output, and do not end with the calling task, which then saves, too.
    ///
    /// - Returns: `nil` if there was no lock for `patience`.
    package static func waiting<Lock>(
        _ patience: Duration, every interval: Duration,
        _ attempt: () throws(HTTPError) -> Lock?
    ) async throws(HTTPError) -> Lock? {
        let clock = HTTPSystemClock()
        let due = clock.now + patience
        while true {
            if let lock = try attempt() { return lock }
            guard clock.now < due else { return nil }
            await Task.detached { try? await Task.sleep(for: interval) }.value
        }
    }
}
