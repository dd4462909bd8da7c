import HTTPCore
import PortableFoundation
import PortableLibc

/// The folder of a disk cache: its checks, its locks, and the files of keys in it.
///
/// The files are in `v1/<2 digits>/`, and no other file is read or removed. A key has one file with
/// its responses and short bodies, and one for each longer body. The file of the key decides which
/// bodies exist: a body is put in place before the file that names it, and removed after it. A
/// process that is killed can thus leave files that nothing names, and never a wrong response.
struct DiskCacheFolder: Sendable {
    /// The folder that the program chose, and the one of this version of the format in it.
    private let top: String
    let path: String

    init(_ folder: String) throws(HTTPError) {
        guard !folder.isEmpty, !folder.utf8.contains(0) else {
            throw .cacheFolder(folder, "its path is empty or holds a NUL")
        }
        // The program may change its working directory later.
        top =
            folder.hasPrefix("/")
            ? folder : FileManager.default.currentDirectoryPath + "/" + folder
        path = top + "/v1"
        try prepare()
    }

    // MARK: Checks

    /// Creates the folders that do not exist, and checks that only this user can write to them.
    private func prepare() throws(HTTPError) {
        var start = top.startIndex
        while let slash = top[start...].dropFirst().firstIndex(of: "/") {
            // A missing parent is reported by the check of the folder itself.
            _ = unsafe mkdir(String(top[..<slash]), 0o700)
            start = slash
        }
        try Self.prepare(top)
        try Self.prepare(path)
    }

    private static func prepare(_ path: String) throws(HTTPError) {
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
            let error = errno
            throw .cacheFolder(path, "it cannot be created: \(SystemError(error))", error)
        }
        let folder = systemOpen(path)
        guard folder >= 0 else {
            let error = errno
            let reason =
                error == ENOTDIR
                ? "a file has this name; remove the file or choose another folder"
                : "it cannot be opened: \(SystemError(error))"
            throw .cacheFolder(path, reason, error)
        }
        defer { systemClose(folder) }
        var status = stat()
        guard unsafe fstat(folder, &status) == 0 else {
            let error = errno
            throw .cacheFolder(path, "it cannot be examined: \(SystemError(error))", error)
        }
        if let flaw = FileFlaw(status, for: .folder) {
            let remedy = flaw == .mode ? "run chmod 700 on it or choose" : "choose"
            throw .cacheFolder(path, "\(flaw); \(remedy) another folder")
        }
        guard status.st_mode & 0o700 == 0o700 else {
            throw .cacheFolder(
                path, "this user may not write to it; run chmod 700 on it or choose another folder")
        }
    }

    private func makeShard(_ shard: String) throws(HTTPError) {
        let path = "\(path)/\(shard)"
        if unsafe mkdir(path, 0o700) == 0 { return }
        if errno == EEXIST {
            let kind = DiskFile.kind(of: path)
            if kind == S_IFDIR { return }
            guard kind != S_IFREG else { throw .cacheFile(path, "created", ENOTDIR) }
            // Another process that does the same removes a link, and never the new folder.
            _ = unsafe unlink(path)
            if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        }
        // The folder was removed while this store was open.
        if errno == ENOENT {
            try prepare()
            if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        }
        throw .cacheFile(path, "created", errno)
    }

    // MARK: Files

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Creates an empty file under a name that no other file has.
    func makeTemporary(of names: DiskCacheNames) throws(HTTPError) -> DiskFile {
        let path = file(names.makeTemporary())
        if let file = try DiskFile(creating: path) { return file }
        try makeShard(names.shard)
        if let file = try DiskFile(creating: path) { return file }
        throw .cacheFile(path, "created", ENOENT)
    }

    /// The file of a key, read.
    enum Reading {
        case missing
        case damaged
        case entry(DiskCacheEntry, file: DiskFile, status: DiskFile.Status)
    }

    /// - Parameter key: The key to which the entry must belong; `nil` for any.
    func readEntry(_ name: String, of key: HTTPCacheKey? = nil) throws(HTTPError) -> Reading {
        guard let file = try DiskFile(reading: file(name)) else { return .missing }
        guard let status = try file.status(), status.size <= Int64(DiskCacheEntry.sizeLimit) else {
            return .damaged
        }
        let bytes = try file.read(Int(status.size), at: 0)
        guard let entry = DiskCacheEntry(bytes, of: key) else { return .damaged }
        return .entry(entry, file: file, status: status)
    }

    /// Replaces the file of a key in one step.
    ///
    /// Nothing is synced to the disk: after a loss of power, an incomplete file is found by its
    /// checksum.
    ///
    /// - Returns: The size of the file.
    func write(_ entry: DiskCacheEntry, _ names: DiskCacheNames) throws(HTTPError) -> Int64 {
        let bytes = entry.encoded()
        guard bytes.count <= DiskCacheEntry.sizeLimit else {
            throw .cacheFile(file(names.entry), "written", EFBIG)
        }
        let temporary = try makeTemporary(of: names)
        do throws(HTTPError) {
            try temporary.write(bytes, at: 0)
            guard try DiskFile.rename(temporary.path, to: file(names.entry)) else {
                throw .cacheFile(temporary.path, "renamed", ENOENT)
            }
        } catch {
            _ = try? DiskFile.remove(temporary.path)
            throw error
        }
        return Int64(bytes.count)
    }

    /// Returns the names of the files of a shard; none if there is no such folder.
    func list(_ shard: String) -> [(name: String, parts: DiskCacheFileName)] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(shard)")
        return (names ?? []).compactMap { name in
            DiskCacheFileName(name).map { ("\(shard)/\(name)", $0) }
        }
    }

    // MARK: Locks

    /// The longest wait for a lock. It is held for a few local file operations.
    private static let lockLimit = Duration.seconds(2)

    /// Runs `body` while no other task or process changes the files of this shard.
    ///
    /// - Parameter isStrict: `true` to refuse the work once, with a message, if something else was
    ///   in the place of the lock. It is replaced in any case.
    /// - Throws: `cacheStoreFailed` if the lock is not free in time, for example because a process
    ///   that holds it was stopped.
    func withLock<Result>(
        of shard: String, isStrict: Bool = false, _ body: () throws(HTTPError) -> Result
    ) async throws(HTTPError) -> Result {
        // A link in the place of the folder would lead elsewhere.
        if let kind = DiskFile.kind(of: file(shard)), kind != S_IFDIR { try makeShard(shard) }
        let path = file("\(shard)/lock")
        var file = try DiskFile(locking: path)
        if file == nil {
            try makeShard(shard)
            file = try DiskFile(locking: path)
        }
        if file == nil {
            file = try await replacedLock(path, in: self.file(shard))
            if isStrict, file != nil {
                throw HTTPError(
                    .cacheStoreFailed,
                    "the cache file \(path.logSafe) is not a regular file: it was replaced, and "
                        + "the response is not stored")
            }
        }
        guard let file else { throw .cacheFile(path, "created", ENOENT) }
        try await Self.wait(for: file)
        defer { file.unlock() }
        return try body()
    }

    private static func wait(for file: DiskFile) async throws(HTTPError) {
        let locked = try await FileLock.waiting(
            lockLimit, every: .milliseconds(1)
        ) { () throws(HTTPError) in try file.tryLock() ? file : nil }
        if locked == nil { throw .cacheFile(file.path, "locked", EWOULDBLOCK) }
    }

    /// Replaces what is not a regular file and has the name of a lock, and opens the lock.
    ///
    /// While the folder is locked, so that no process removes the lock that another one has made.
    private func replacedLock(
        _ path: String, in folder: String
    ) async throws(HTTPError) -> DiskFile? {
        guard let guardian = try DiskFile(lockingFolder: folder) else { return nil }
        try await Self.wait(for: guardian)
        defer { guardian.unlock() }
        if let kind = DiskFile.kind(of: path), kind != S_IFREG { try DiskFile.clear(path) }
        return try DiskFile(locking: path)
    }

    /// Returns the lock that the only sweep of this folder holds; `nil` if another process has it.
    func lockSweep() async throws(HTTPError) -> DiskFile? {
        let name = file("lock")
        var file = try DiskFile(locking: name)
        if file == nil { file = try await replacedLock(name, in: path) }
        guard let file else { return nil }
        return try file.tryLock() ? file : nil
    }
}

private func systemOpen(_ path: String) -> Int32 {
    unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
}

private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
