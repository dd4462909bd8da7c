import HTTPCore
import PortableFoundation

/// The file of a jar. It is always whole: it is replaced in one step, and only under a lock that
/// all jars with this file take, in this process and in others.
///
/// A path that is a symbolic link means the file that the link names, and the link stays. The lock
/// is a file beside the cookies' own, `path.lock`, which is never removed: without it, two
/// processes could hold two different locks.
struct CookieFile: Sendable {
    typealias Cookie = HTTPCookieJar.Cookie

    /// The contents of the file after a synchronization.
    struct Contents: Sendable {
        var cookies: [Cookie] = []
        /// The parts of the previous file that were skipped.
        var flaws: [HTTPCookieJar.FileFlaw] = []
        /// The identity of the file, or `nil` if there is none.
        var stamp: FileStamp?
        /// `true` if the file was not the one that the jar knew.
        var isForeign = false
    }

    /// The cookies and changes of a jar, which is not locked while they are written.
    struct Memory: Sendable {
        var cookies: [Cookie]
        var journal: CookieJournal
        var stamp: FileStamp?
        var now: Date
    }

    let path: String
    let format: HTTPCookieJar.FileFormat
    let keepsSessionCookies: Bool
    /// The longest wait for the lock of another process.
    var patience = Duration.seconds(10)

    /// Returns `true` if a cookie belongs in the file.
    func isFiled(_ cookie: Cookie) -> Bool {
        (keepsSessionCookies || cookie.expires != nil) && format.flaw(of: cookie) == nil
    }

    /// Returns the cookies that belong in the file but cannot be written, as flaws.
    func flaws(of cookies: [Cookie]) -> [HTTPCookieJar.FileFlaw] {
        cookies.compactMap { cookie in
            guard keepsSessionCookies || cookie.expires != nil,
                let reason = format.flaw(of: cookie)
            else { return nil }
            return HTTPCookieJar.FileFlaw(
                line: nil,
                reason: "the cookie \(cookie.name.logSafe) of \(cookie.domain) is not written: "
                    + reason)
        }
    }

    // MARK: Reading

    /// Reads the file for a new jar. Session cookies in it are skipped unless the jar keeps them:
    /// their session is over.
    ///
    /// - Throws: `cookiesNotRead`. A file that does not exist has no cookies.
    func read() throws(HTTPError) -> Contents {
        try read(ReplacedFile(path)).contents
    }

    /// The file as it was found; empty if there is none.
    private struct Found {
        var bytes: [UInt8]?
        /// All cookies in the file, also those that the jar skips.
        var all: [Cookie] = []
        var contents = Contents()

        /// `true` if there is no file, or an empty one.
        var isWithoutContents: Bool { bytes?.isEmpty != false }
    }

    private func read(_ disk: ReplacedFile) throws(HTTPError) -> Found {
        guard let (bytes, stamp) = try disk.read() else { return Found() }
        let (read, flaws) = try format.cookies(in: bytes)
        let cookies = Self.withoutDuplicates(read)
        return Found(
            bytes: bytes, all: cookies,
            contents: Contents(cookies: own(cookies), flaws: flaws, stamp: stamp))
    }

    /// Returns the cookies with different keys. The last one of a key counts, as when curl reads.
    private static func withoutDuplicates(_ cookies: [Cookie]) -> [Cookie] {
        var positions: [Cookie.Key: Int] = [:]
        var result: [Cookie] = []
        for cookie in cookies {
            if let position = positions[cookie.key] {
                result[position] = cookie
            } else {
                positions[cookie.key] = result.count
                result.append(cookie)
            }
        }
        return result
    }

    /// Returns the cookies that belong in the jar.
    private func own(_ cookies: [Cookie]) -> [Cookie] {
        keepsSessionCookies ? cookies : cookies.filter { $0.expires != nil }
    }

    // MARK: Writing

    /// Applies the changes of a jar to the file, and returns what the file contains then.
    ///
    /// Cookies that only other processes keep, such as session cookies, stay in the file. A file
    /// that was removed is written again with all cookies in memory. So is an empty one, because a
    /// program that writes in place has just cut it, or has failed to fill it. Lines that are not
    /// understood are dropped.
    ///
    /// - Throws: `cookiesNotSaved`.
    @concurrent func synchronize(_ memory: Memory) async throws(HTTPError) -> Contents {
        do throws(HTTPError) {
            let disk = try ReplacedFile(path)
            let lock = try await LockFile.taking(disk.path + ".lock", within: patience)
            defer { lock.release() }
            let found = try read(disk)
            var contents = found.contents
            contents.isForeign = contents.stamp != memory.stamp
            let written = cookies(in: found, after: memory)
            let bytes = try format.bytes(of: written)
            // A jar without cookies creates no file.
            let isNeeded = !found.isWithoutContents || !written.isEmpty
            if isNeeded, found.bytes != bytes { contents.stamp = try disk.replace(with: bytes) }
            contents.cookies = own(written)
            return contents
        } catch {
            guard error.code != .cookiesNotSaved else { throw error }
            throw HTTPError(
                .cookiesNotSaved, "the cookies could not be saved: \(error.message)",
                underlyingError: error)
        }
    }

    /// Returns the cookies that the file is to contain.
    private func cookies(in found: Found, after memory: Memory) -> [Cookie] {
        let merged =
            found.isWithoutContents
            ? memory.cookies.filter(isFiled)
            : memory.journal.applied(to: found.all, isFiled: isFiled)
        var accesses: [Cookie.Key: Date] = [:]
        for cookie in memory.cookies { accesses[cookie.key] = cookie.lastAccessDate }
        return merged.compactMap { cookie in
            guard !cookie.isExpired(at: memory.now) else { return nil }
            var cookie = cookie
            let access = accesses[cookie.key] ?? cookie.lastAccessDate
            cookie.lastAccessDate = max(cookie.lastAccessDate, access)
            return cookie
        }
    }
}
