import HTTPCore
import HTTPFormats
import HTTPHashing
import PortableFoundation
import PortableLibc

/// An incomplete file, `name.part`, with a record beside it that describes the file it belongs to.
///
/// Both are this user's own, and no other user may write to them (see `FileFlaw`): in a folder that
/// others may write to, a prepared part would bring its bytes, its owner, its mode or, as a hard
/// link, another file of this user. Such a part loses its name, and nothing is written into it.
///
/// It is locked for the lifetime of this object, against other downloads to the same path in this
/// and other processes. Its methods block their thread for as long as local file operations do.
final class PartialFile: Sendable {
    struct Names: Sendable {
        let whole: String
        var part: String { whole + ".part" }
        var record: String { part + ".json" }
        var freshRecord: String { record + "~" }
        /// The path of a ``DecodedFile``.
        var decoded: String { part + ".decoded" }

        init(_ whole: String) { self.whole = whole }

        var folder: String {
            guard let slash = whole.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
            return slash == whole.startIndex ? "/" : String(whole[..<slash])
        }

        /// Returns the record; `nil` if there is none, or none that can be read and is this user's
        /// own.
        func readRecord() -> PartRecord? {
            // A pipe in the place of the record must not block.
            let file = systemOpen(record, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0)
            guard file >= 0 else { return nil }
            defer { systemClose(file) }
            guard isOwn(file) else { return nil }
            var text = [UInt8](repeating: 0, count: PartialFile.longestRecord)
            let count = unsafe read(file, &text, text.count)
            guard count > 0 else { return nil }
            return PartRecord(encoded: Data(text[..<count]))
        }

        /// The size of the part; `nil` if there is none that may be continued.
        var partSize: Int64? {
            var status = stat()
            guard unsafe lstat(part, &status) == 0, FileFlaw(status, for: .writing) == nil else {
                return nil
            }
            return Int64(status.st_size)
        }

        /// Removes the name of the part.
        ///
        /// - Returns: The error of the system; 0 for none.
        fileprivate func removePart() -> Int32 { unsafe unlink(part) == 0 ? 0 : errno }

        fileprivate func refusal(of flaw: FileFlaw, _ cause: SystemError) -> HTTPError {
            HTTPError(
                .fileNotWritten,
                "\(part.logSafe) is not continued, because \(flaw), and cannot be replaced "
                    + "(\(cause)): remove it, or download to another folder",
                underlyingError: cause)
        }
    }

    let names: Names
    let descriptor: Int32

    /// The most bytes that are read of a record.
    static let longestRecord = 64 << 10

    /// Opens an existing part, or creates an empty one, also in place of one that is not this
    /// user's own.
    ///
    /// - Throws: `fileBusy` while another download holds it; `fileNotWritten` with the system's
    ///   error, or if the part is not this user's own and cannot be replaced.
    convenience init(for path: String) throws(HTTPError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw HTTPError(.invalidRequest, "the path of a download is empty or holds a NUL")
        }
        let names = Names(path)
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw .file(names.whole, "created", EISDIR)
        }
        var replaced = 0
        while true {
            guard let descriptor = try Self.openPart(names) else { continue }
            do throws(HTTPError) {
                guard try Self.lock(descriptor, names) else {
                    throw HTTPError(
                        .fileBusy, "another download writes to \(names.part.logSafe)",
                        isRetryable: true)
                }
                // Another download may have finished, and so removed the name, before the lock.
                guard FileLock.isName(names.part, of: descriptor) else {
                    Self.release(descriptor)
                    continue
                }
                if let flaw = try Self.flaw(of: descriptor, names) {
                    replaced += 1
                    let error = replaced > 10 ? EEXIST : names.removePart()
                    guard error == 0 else { throw names.refusal(of: flaw, SystemError(error)) }
                    Self.release(descriptor)
                    continue
                }
            } catch {
                Self.release(descriptor)
                throw error
            }
            self.init(names, descriptor: descriptor)
            return
        }
    }

    /// Opens the part, or creates it; `nil` if it was created or removed at the same time.
    private static func openPart(_ names: Names) throws(HTTPError) -> Int32? {
        // A pipe in the place of the part must not block.
        let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let found = systemOpen(names.part, flags, 0)
        if found >= 0 { return found }
        guard errno == ENOENT else { throw .file(names.part, "opened", errno) }
        // Private until it is whole: see `finish()`.
        let created = systemOpen(names.part, flags | O_CREAT | O_EXCL, 0o600)
        if created >= 0 { return created }
        guard errno == EEXIST else { throw .file(names.part, "created", errno) }
        return nil
    }

    /// - Returns: The reason to replace the part.
    /// - Throws: `fileNotWritten` if it is not a file.
    private static func flaw(
        of descriptor: Int32, _ names: Names
    ) throws(HTTPError) -> FileFlaw? {
        do throws(SystemError) {
            let flaw = try FileFlaw(of: descriptor, for: .writing)
            if flaw != .kind { return flaw }
        } catch {
            throw .file(names.part, "examined", error.code)
        }
        throw .file(names.part, "used, because it is not a regular file", EINVAL)
    }

    /// - Parameter descriptor: Closed when this object is released.
    init(_ names: Names, descriptor: Int32) {
        self.names = names
        self.descriptor = descriptor
    }

    deinit { Self.release(descriptor) }

    /// - Returns: `false` if another download holds the file.
    private static func lock(_ descriptor: Int32, _ names: Names) throws(HTTPError) -> Bool {
        do throws(SystemError) {
            return try FileLock.take(descriptor)
        } catch {
            throw .file(names.part, "locked", error.code)
        }
    }

    /// Unlocks and closes the file.
    private static func release(_ descriptor: Int32) {
        FileLock.release(descriptor)
        systemClose(descriptor)
    }

    var size: Int64 {
        get throws(HTTPError) {
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else {
                throw .file(names.part, "examined", errno)
            }
            return Int64(status.st_size)
        }
    }

    /// Returns the beginning of the file that `request` may continue, according to `record`; `nil`
    /// if there is none, or if the part has gaps.
    func storedPart(of request: HTTPRequest, _ record: PartRecord?) throws(HTTPError) -> StoredPart?
    {
        guard let record, let condition = record.condition(of: request) else { return nil }
        let ranges = record.trustedRanges(of: try size)
        guard ranges.count == 1, ranges[0].lowerBound == 0 else { return nil }
        return StoredPart(
            bytes: ranges[0].upperBound, condition: condition, length: record.length,
            coding: record.coding, source: record.source)
    }

    /// Returns the ranges that `request` must still load, according to `record`; `nil` if the part
    /// has no gaps.
    func missingRanges(
        of request: HTTPRequest, _ record: PartRecord?, shortest: Int64
    ) throws(HTTPError) -> MissingRanges? {
        guard let record, let length = record.length, record.condition(of: request) != nil else {
            return nil
        }
        let ranges = record.trustedRanges(of: try size)
        guard let first = ranges.first, ranges.count > 1 || first.lowerBound > 0 else { return nil }
        return MissingRanges(of: length, arrived: ranges, shortest: shortest)
    }

    /// Fills the block with bytes of a file, and returns their number: 0 at its end.
    static func readFile(
        _ descriptor: Int32, _ name: String, _ block: inout [UInt8], at offset: Int64
    ) throws(HTTPError) -> Int {
        while true {
            let count = unsafe pread(descriptor, &block, block.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw .file(name, "read", errno) }
        }
    }

    // MARK: The part

    func truncate(to size: Int64) throws(HTTPError) {
        guard try self.size != size else { return }
        guard ftruncate(descriptor, off_t(size)) == 0 else {
            throw .file(names.part, "cut to \(size) bytes", errno)
        }
    }

    func sync() throws(HTTPError) {
        guard fsync(descriptor) == 0 else { throw .file(names.part, "synced", errno) }
    }

    /// Returns the first bytes, for an error about the file; none if they cannot be read, or if
    /// `record` does not know that they have arrived.
    func beginning(_ record: PartRecord?) -> Data {
        var block = [UInt8](repeating: 0, count: 4 << 10)
        if let ranges = record?.ranges {
            let first = ranges.arrived.first { $0.lowerBound == 0 }
            block.removeLast(block.count - Int(min(first?.upperBound ?? 0, Int64(block.count))))
        }
        let count = unsafe pread(descriptor, &block, block.count, 0)
        return Data(block.prefix(max(0, count)))
    }

    /// Returns the digest of the part, or of its decoded content, read back from the disk: only
    /// stored bytes count.
    @concurrent func sha256(of decoded: DecodedFile? = nil) async throws -> [UInt8] {
        let (descriptor, name) = place(of: decoded)
        var hash = SHA256()
        var offset: Int64 = 0
        var block = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            try Task.checkCancellation()
            let count = try Self.readFile(descriptor, name, &block, at: offset)
            guard count > 0 else { return hash.finalize() }
            unsafe hash.update(block.span.bytes.extracting(0..<count))
            offset += Int64(count)
        }
    }

    private func place(of decoded: DecodedFile?) -> (descriptor: Int32, name: String) {
        decoded.map { ($0.descriptor, names.decoded) } ?? (descriptor, names.part)
    }

    // MARK: The record

    /// Replaces the record in one step, and returns after it is on the disk.
    func write(_ record: PartRecord) throws(HTTPError) {
        let fresh = names.freshRecord
        let text: Data
        do {
            text = try record.encoded()
        } catch {
            throw HTTPError(.internalFailure, "a record cannot be encoded", underlyingError: error)
        }
        let file = try createFresh(fresh, 0o600)
        defer { systemClose(file) }
        try text.write(toDescriptor: file, at: 0)
        guard fsync(file) == 0 else { throw .file(fresh, "synced", errno) }
        guard unsafe rename(fresh, names.record) == 0 else {
            throw .file(names.record, "replaced", errno)
        }
        try syncFolder()
    }

    /// Adds the ranges that have arrived to the record of a part with gaps. They outlive the
    /// process, not the system.
    ///
    /// - Returns: `false` if the record must be written again: it has become too long, or is not
    ///   the one that was written.
    func note(_ ranges: StoredRanges) throws(HTTPError) -> Bool {
        let text: Data
        do {
            text = try ranges.line()
        } catch {
            throw HTTPError(.internalFailure, "a record cannot be encoded", underlyingError: error)
        }
        let file = systemOpen(names.record, O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0)
        guard file >= 0 else { throw .file(names.record, "opened", errno) }
        defer { systemClose(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw .file(names.record, "examined", errno) }
        guard FileFlaw(status, for: .writing) == nil else { return false }
        guard Int(status.st_size) + text.count <= Self.longestRecord else { return false }
        try text.write(toDescriptor: file, at: Int64(status.st_size))
        return true
    }

    /// Creates the file that replaces the record, or the one for the decoded content.
    func createFresh(_ name: String, _ mode: mode_t) throws(HTTPError) -> Int32 {
        // Left by a process that was killed while writing, or prepared by another user.
        _ = unsafe unlink(name)
        let file = systemOpen(
            name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard file >= 0 else { throw .file(name, "created", errno) }
        return file
    }

    /// Removes the record. From then on, the part cannot be continued.
    func removeRecord() throws(HTTPError) {
        // Left by a process that was killed while writing.
        _ = unsafe unlink(names.freshRecord)
        _ = unsafe unlink(names.decoded)
        if unsafe unlink(names.record) == 0 {
            try syncFolder()
        } else if errno != ENOENT {
            throw .file(names.record, "removed", errno)
        }
    }

    // MARK: The end

    /// Gives the file its name, on the disk and in one step: a reader sees either the previous file
    /// or all of the new one. Its mode is that of a new file.
    ///
    /// - Parameter decoded: The decoded content, to be the file in place of the part. The part and
    ///   its record stay until then, and go afterwards.
    func finish(_ decoded: DecodedFile? = nil) throws(HTTPError) {
        let (descriptor, name) = place(of: decoded)
        guard fchmod(descriptor, try modeOfNewFile) == 0 else {
            throw .file(name, "given its mode", errno)
        }
        guard fsync(descriptor) == 0 else { throw .file(name, "synced", errno) }
        guard FileLock.isName(name, of: descriptor) else {
            throw HTTPError(
                .fileNotWritten,
                "\(name.logSafe) has been replaced during the download: download it again, "
                    + "to a folder that only this user writes to")
        }
        guard unsafe rename(name, names.whole) == 0 else {
            throw .file(names.whole, "replaced", errno)
        }
        try syncFolder()
        if decoded == nil { try removeRecord() } else { try discard() }
    }

    /// The mode that a program gives to a new file in this folder. The umask cannot be read without
    /// being changed for the whole process.
    private var modeOfNewFile: mode_t {
        get throws(HTTPError) {
            let file = try createFresh(names.freshRecord, 0o666)
            defer {
                systemClose(file)
                _ = unsafe unlink(names.freshRecord)
            }
            var status = stat()
            guard unsafe fstat(file, &status) == 0 else {
                throw .file(names.freshRecord, "examined", errno)
            }
            return status.st_mode & 0o777
        }
    }

    func discard() throws(HTTPError) {
        try removeRecord()
        guard unsafe unlink(names.part) == 0 || errno == ENOENT else {
            throw .file(names.part, "removed", errno)
        }
    }

    private func syncFolder() throws(HTTPError) {
        let folder = systemOpen(names.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard folder >= 0 else { throw .file(names.folder, "opened", errno) }
        defer { systemClose(folder) }
        // Some file systems cannot sync a folder and do not need to.
        guard fsync(folder) == 0 || errno == EINVAL else {
            throw .file(names.folder, "synced", errno)
        }
    }
}

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    unsafe open(path, flags, mode)
}

private func isOwn(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && FileFlaw(status, for: .writing) == nil
}

private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }

extension HTTPError {
    static func file(_ path: String, _ action: String, _ code: Int32) -> HTTPError {
        let cause = SystemError(code)
        return HTTPError(
            .fileNotWritten, "the file \(path.logSafe) could not be \(action): \(cause)",
            underlyingError: cause)
    }
}
