public import HTTPCore
public import PortableFoundation

/// A store in a folder of the file system. It outlives the process, and several processes of one
/// user may share the folder.
///
/// Every byte that is read is checked against a checksum. A damaged file is treated as missing, or
/// makes the body fail with `cacheBodyDamaged`, and is removed. A process that is killed leaves the
/// old or the new response. Nothing is synced to the disk, so responses that were stored shortly
/// before a loss of power may be lost.
///
/// The files take at most `limit` bytes after a sweep, which runs in the background when it is due
/// and removes the keys that were used least recently. Until a sweep has caught up, the files may
/// exceed the limit by a quarter; after that, nothing is stored. Each further process that stores
/// at the same time may add half of the limit between two sweeps.
///
/// A response that another process removes may be returned for a moment longer. Two processes that
/// store responses of one key at once lose none.
///
/// The folder must belong to the user, and no other user may write to it. Files under other names
/// than those of this store are never read or removed. What is in the place of one of its files and
/// is not a regular file, such as a link, is not followed and is replaced.
///
/// The methods block a thread of the concurrent pool for as long as local file operations do; the
/// folder should not be on a network file system.
public final class HTTPDiskCacheStore: HTTPCacheStore {
    /// The most bytes that the files take.
    public let limit: Int64
    /// The most bytes that one response takes.
    public let responseLimit: Int64

    private let folder: DiskCacheFolder
    private let budget: Locked<DiskCacheBudget>
    private let recent = Locked(DiskCacheRecentBodies())
    private let sweeping = Locked<Task<Void, Never>?>(nil)
    private let removing = Locked<Task<Void, Never>?>(nil)

    /// The time after which a use of an entry is recorded again.
    private static let useInterval: Int64 = 60 * 1_000_000_000

    /// Opens a store, and creates its folder if it does not exist. Takes the same short time
    /// whatever is stored.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder. Its parent folders are created too.
    ///   - limit: The most bytes that the files take.
    ///   - responseLimit: The most bytes of one response, an eighth of the limit by default and a
    ///     quarter at most. A larger response is not stored.
    /// - Throws: `cacheFolderUnusable` if the folder cannot be created, belongs to another user, or
    ///   other users may write to it.
    public init(folder: String, limit: Int64, responseLimit: Int64? = nil) throws(HTTPError) {
        self.limit = min(max(0, limit), 1 << 60)
        self.responseLimit = min(max(0, responseLimit ?? self.limit / 8), self.limit / 4)
        self.folder = try DiskCacheFolder(folder)
        budget = Locked(DiskCacheBudget(limit: self.limit))
    }

    /// Opens a store in the folder of a file URL. See
    /// ``init(folder:limit:responseLimit:)-(String,_,_)``.
    public convenience init(
        folder: URL, limit: Int64, responseLimit: Int64? = nil
    ) throws(HTTPError) {
        try self.init(folder: folder.filePath, limit: limit, responseLimit: responseLimit)
    }

    // MARK: Reading

    @concurrent public func responses(
        for key: HTTPCacheKey
    ) async throws(HTTPError) -> [HTTPStoredResponse] {
        let names = DiskCacheNames(key)
        switch try folder.readEntry(names.entry, of: key) {
        case .missing: return []
        case .damaged:
            try await removeDamaged(key, names)
            return []
        case .entry(let entry, let file, let status):
            let unrecorded = (Date().nanoseconds &- status.modified).magnitude
            if unrecorded > UInt64(Self.useInterval) { file.touch() }
            recent.withLock { $0.insert(entry, size: status.size) }
            return entry.responses.map(\.response)
        }
    }

    @concurrent public func body(
        of response: HTTPStoredResponse, for key: HTTPCacheKey
    ) async throws(HTTPError) -> HTTPBody? {
        guard DiskCacheNames.isID(response.id) else { return nil }
        let names = DiskCacheNames(key)
        if response.bodyLength <= DiskCacheEntry.inlineLimit {
            var body = recent.withLock { $0.take(response.id, of: key) }
            if body == nil,
                case .entry(let entry, _, _) = try folder.readEntry(names.entry, of: key)
            {
                body = entry.stored(response.id)?.inlineBody
            }
            guard let body, Int64(body.count) == response.bodyLength else { return nil }
            return HTTPBody(Data(body), trailers: response.trailers)
        }
        guard let file = try DiskFile(reading: folder.file(names.body(response.id))) else {
            // The file was removed by another program.
            try await remove(response, for: key)
            return nil
        }
        let blocks = DiskCacheBlocks(names, id: response.id)
        let length = response.bodyLength
        guard let status = try file.status(),
            status.size == DiskCacheBlocks.fileLength(ofBody: length),
            let first = try blocks.read(block: 0, of: file, length: length)
        else {
            try await remove(response, for: key)
            return nil
        }
        let source = DiskBodySource(
            file, first: first, blocks: blocks, length: length, trailers: response.trailers
        ) { [self] in
            _ = try? await remove(response, for: key)
        }
        return HTTPBody(source: source, length: length)
    }

    /// The bytes of all complete files, and the number of stored responses. Reads all entries.
    package func usage() async throws(HTTPError) -> (bytes: Int64, responses: Int) {
        try await DiskCacheSweep(folder).count()
    }

    // MARK: Writing

    @concurrent public func beginStoring(
        _ response: HTTPStoredResponse, for key: HTTPCacheKey, length: Int64?
    ) async throws(HTTPError) -> (any HTTPCacheWriter)? {
        guard DiskCacheNames.isID(response.id) else {
            throw HTTPError(
                .internalFailure, "the id of a stored response is not 32 hexadecimal digits")
        }
        let keyLength = key.partition.utf8.count + key.url.utf8.count
        let headLength = DiskCacheEntry.headLength(of: response)
        let head = DiskCacheBudget.size(ofFile: Int64(keyLength + headLength))
        let room = responseLimit - head
        guard keyLength <= DiskCacheEntry.headLimit, headLength <= DiskCacheEntry.headLimit,
            room >= 0, length ?? 0 <= room
        else { return nil }
        let hasRoom = reserve(head)
        sweepIfDue()
        guard hasRoom else { return nil }
        let names = DiskCacheNames(key)
        let draft = DiskCacheDraft(folder, names, id: response.id, reserved: head)
        return DiskCacheWriter(response, for: key, draft, room: room, store: self)
    }

    func reserve(_ count: Int64) -> Bool { budget.withLock { $0.reserve(count) } }

    /// Ends a draft that is not stored. Returns at once, because the removal of a large file takes
    /// long.
    func discard(_ draft: DiskCacheDraft) {
        budget.withLock { $0.release(draft.reserved) }
        guard draft.hasFile else { return }
        removing.withLock { removing in
            removing = Task.detached(priority: .utility) { [previous = removing] in
                draft.removeFile()
                await previous?.value
            }
        }
    }

    /// Makes a response visible.
    ///
    /// - Returns: `false` if the temporary file of its body was removed.
    func commit(
        _ response: HTTPStoredResponse, _ draft: DiskCacheDraft, for key: HTTPCacheKey
    ) async throws(HTTPError) -> Bool {
        let isStored = try await change(key, draft.names, isStrict: true) {
            entry throws(HTTPError) in
            guard try draft.place(as: folder.file(draft.names.body(response.id))) else {
                return false
            }
            entry.insert(DiskCacheEntry.Stored(response: response, inlineBody: draft.inlineBody))
            return true
        }
        guard isStored else { return false }
        budget.withLock { $0.release(draft.reserved) }
        sweepIfDue()
        return true
    }

    @concurrent public func update(
        _ response: HTTPStoredResponse, for key: HTTPCacheKey
    ) async throws(HTTPError) {
        try await change(key, DiskCacheNames(key)) { entry in
            guard let index = entry.responses.firstIndex(where: { $0.response.id == response.id })
            else { return false }
            let new = entry.responses[index].response.updated(with: response)
            if DiskCacheEntry.headLength(of: new) <= DiskCacheEntry.headLimit {
                entry.responses[index].response = new
            } else {
                entry.responses.remove(at: index)
            }
            return true
        }
    }

    // MARK: Removing

    @concurrent public func remove(_ key: HTTPCacheKey) async throws(HTTPError) {
        try await change(key, DiskCacheNames(key)) { entry in
            entry.responses = []
            return true
        }
    }

    @concurrent public func remove(
        _ response: HTTPStoredResponse, for key: HTTPCacheKey
    ) async throws(HTTPError) {
        try await change(key, DiskCacheNames(key)) { entry in
            let count = entry.responses.count
            entry.responses.removeAll { $0.response.id == response.id }
            return entry.responses.count < count
        }
    }

    @concurrent public func removeAll() async throws(HTTPError) {
        let removed = try await DiskCacheSweep(folder).removeAll()
        recent.withLock { $0.removeAll() }
        budget.withLock { $0.change(from: removed, to: 0) }
    }

    private func removeDamaged(
        _ key: HTTPCacheKey, _ names: DiskCacheNames
    ) async throws(HTTPError) {
        try await folder.withLock(of: names.shard) { () throws(HTTPError) in
            // Another task may have replaced it meanwhile.
            guard case .damaged = try folder.readEntry(names.entry, of: key) else { return }
            try DiskFile.remove(folder.file(names.entry))
        }
    }

    /// Changes the entry of a key while no other task or process does.
    ///
    /// - Parameters:
    ///   - isStrict: See ``DiskCacheFolder/withLock(of:isStrict:_:)``.
    ///   - body: Changes the responses, and returns `false` to leave the entry as it is.
    @discardableResult
    private func change(
        _ key: HTTPCacheKey, _ names: DiskCacheNames, isStrict: Bool = false,
        _ body: (inout DiskCacheEntry) throws(HTTPError) -> Bool
    ) async throws(HTTPError) -> Bool {
        try await folder.withLock(of: names.shard, isStrict: isStrict) { () throws(HTTPError) in
            var entry = DiskCacheEntry(key)
            var (oldSize, newSize): (Int64, Int64) = (0, 0)
            if case .entry(let stored, _, let status) = try folder.readEntry(names.entry, of: key) {
                entry = stored
                oldSize = stored.bodySize + DiskCacheBudget.size(ofFile: status.size)
            }
            let oldBodies = entry.bodyFiles
            guard try body(&entry) else { return false }
            let newBodies = entry.bodyFiles
            do throws(HTTPError) {
                if entry.responses.isEmpty {
                    try DiskFile.remove(folder.file(names.entry))
                } else {
                    let size = try folder.write(entry, names)
                    newSize = entry.bodySize + DiskCacheBudget.size(ofFile: size)
                }
            } catch {
                removeBodies(newBodies, butNot: oldBodies, names)
                throw error
            }
            removeBodies(oldBodies, butNot: newBodies, names)
            recent.withLock { $0.removeAll(of: key) }
            budget.withLock { $0.change(from: oldSize, to: newSize) }
            return true
        }
    }

    /// Removes bodies that no entry names. A sweep removes those that cannot be removed now.
    private func removeBodies(_ ids: [String], butNot kept: [String], _ names: DiskCacheNames) {
        for id in ids where !kept.contains(id) {
            _ = try? DiskFile.remove(folder.file(names.body(id)))
        }
    }

    // MARK: Sweeping

    private func sweepIfDue() {
        guard budget.withLock({ $0.beginSweepIfDue() }) else { return }
        let task = Task.detached(priority: .utility) { [self] in
            let total = try? await sweep()
            budget.withLock { $0.endSweep(total: total ?? nil) }
        }
        sweeping.withLock { $0 = task }
    }

    /// Sweeps now.
    ///
    /// - Returns: The bytes of all complete files, or `nil` if another store sweeps this folder.
    @discardableResult
    package func sweep() async throws(HTTPError) -> Int64? {
        guard let lock = try await folder.lockSweep() else { return nil }
        defer { lock.unlock() }
        return try await DiskCacheSweep(folder).run(limit: limit)
    }

    /// Waits until the work in the background that has begun has ended.
    package func settle() async {
        await sweeping.withLock { $0 }?.value
        await removing.withLock { $0 }?.value
    }
}

extension DiskCacheEntry {
    /// The bytes that the bodies in files of their own take on the disk.
    fileprivate var bodySize: Int64 {
        responses.reduce(0) { sum, stored in
            guard stored.inlineBody == nil,
                let length = DiskCacheBlocks.fileLength(ofBody: stored.response.bodyLength)
            else { return sum }
            return sum + DiskCacheBudget.size(ofFile: length)
        }
    }
}
