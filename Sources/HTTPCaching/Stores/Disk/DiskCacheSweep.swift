import HTTPCore
import PortableFoundation

/// A walk over all files of a disk cache. It counts them, removes those that nothing names, and
/// removes the keys that were used least recently if there are too many bytes.
///
/// It gives way after each shard, so it holds no thread for more than a few milliseconds.
struct DiskCacheSweep {
    /// The files of one key.
    private struct Files {
        var size: Int64 = 0
        /// The time of the last use; `nil` if the key has no entry.
        var used: Int64?
        var bodies: [(name: String, id: String, size: Int64)] = []
    }

    /// The age at which a temporary file has no writer any more.
    private static let temporaryAge: Int64 = 3600 * 1_000_000_000

    private let folder: DiskCacheFolder
    /// The current time in nanoseconds since 1970.
    private let now: Int64

    init(_ folder: DiskCacheFolder) {
        self.folder = folder
        now = Date().nanoseconds
    }

    /// Counts the files, and reduces them to nine tenths of the limit if they exceed it.
    ///
    /// - Returns: The bytes of all complete files afterwards.
    @concurrent func run(limit: Int64) async throws(HTTPError) -> Int64 {
        var total: Int64 = 0
        var uses: [(time: Int64, size: Int64)] = []
        for shard in DiskCacheFileName.shards {
            for (stem, files) in files(of: shard, removingTemporaries: true) {
                var files = files
                if !files.bodies.isEmpty { try await removeOrphans(shard, stem, &files) }
                total += files.size
                if let used = files.used { uses.append((used, files.size)) }
            }
            await Task.yield()
        }
        guard total > limit else { return total }
        uses.sort { $0.time < $1.time }
        var excess = total - limit / 10 * 9
        var last: Int64 = .min
        for use in uses where excess > 0 {
            excess -= use.size
            last = use.time
        }
        return try await total - removeKeys(usedUntil: last)
    }

    /// Counts the bytes of all complete files and the responses in them.
    @concurrent func count() async throws(HTTPError) -> (bytes: Int64, responses: Int) {
        var (bytes, responses): (Int64, Int) = (0, 0)
        for shard in DiskCacheFileName.shards {
            for (stem, files) in files(of: shard) {
                bytes += files.size
                if files.used != nil,
                    case .entry(let entry, _, _) = try folder.readEntry("\(shard)/\(stem).entry")
                {
                    responses += entry.responses.count
                }
            }
            await Task.yield()
        }
        return (bytes, responses)
    }

    /// Removes the files of all keys.
    ///
    /// - Returns: The bytes of the removed files.
    @concurrent func removeAll() async throws(HTTPError) -> Int64 {
        try await removeKeys(usedUntil: .max)
    }

    // MARK: Files

    /// Returns the complete files of a shard by the stem of their key.
    private func files(
        of shard: String, removingTemporaries: Bool = false
    ) -> [String: Files] {
        var all: [String: Files] = [:]
        for (name, parts) in folder.list(shard) {
            guard let status = DiskFile.status(of: folder.file(name)) else { continue }
            let size = DiskCacheBudget.size(ofFile: status.size)
            switch parts.kind {
            case .entry:
                all[parts.stem, default: Files()].used = status.modified
                all[parts.stem, default: Files()].size += size
            case .body(let id):
                all[parts.stem, default: Files()].bodies.append((name, id, size))
                all[parts.stem, default: Files()].size += size
            case .temporary:
                if removingTemporaries, status.modified < now &- Self.temporaryAge {
                    _ = try? DiskFile.remove(folder.file(name))
                }
            }
        }
        return all
    }

    /// Removes the bodies that the entry of their key does not name. A process that was killed has
    /// left them.
    private func removeOrphans(
        _ shard: String, _ stem: String, _ files: inout Files
    ) async throws(HTTPError) {
        let bodies = files.bodies
        // Without the lock: nearly always, there is nothing to remove.
        guard !(try orphans(among: bodies, shard, stem)).isEmpty else { return }
        // With the lock, no writer is between its body and its entry.
        let removed = try await folder.withLock(of: shard) { () throws(HTTPError) -> Int64 in
            var removed: Int64 = 0
            for body in try orphans(among: bodies, shard, stem)
            where try DiskFile.remove(folder.file(body.name)) { removed += body.size }
            return removed
        }
        files.size -= removed
    }

    private func orphans(
        among bodies: [(name: String, id: String, size: Int64)], _ shard: String, _ stem: String
    ) throws(HTTPError) -> [(name: String, id: String, size: Int64)] {
        guard case .entry(let entry, _, _) = try folder.readEntry("\(shard)/\(stem).entry") else {
            return bodies
        }
        let named = Set(entry.bodyFiles)
        return bodies.filter { !named.contains($0.id) }
    }

    /// Removes the files of the keys that were not used after that time.
    private func removeKeys(usedUntil last: Int64) async throws(HTTPError) -> Int64 {
        var removed: Int64 = 0
        for shard in DiskCacheFileName.shards {
            func isUnused(_ files: Files) -> Bool { files.used ?? .min <= last }
            guard files(of: shard).values.contains(where: isUnused) else { continue }
            removed += try await folder.withLock(of: shard) { () throws(HTTPError) -> Int64 in
                var removed: Int64 = 0
                // Again: they may have been used or replaced before the lock.
                for (stem, files) in files(of: shard) where isUnused(files) {
                    try DiskFile.remove(folder.file("\(shard)/\(stem).entry"))
                    for body in files.bodies { try DiskFile.remove(folder.file(body.name)) }
                    removed += files.size
                }
                return removed
            }
            await Task.yield()
        }
        return removed
    }
}

extension Date {
    /// The time in nanoseconds since 1970.
    var nanoseconds: Int64 {
        let nanoseconds = timeIntervalSince1970 * 1e9
        return nanoseconds.magnitude < 9e18 ? Int64(nanoseconds) : 0
    }
}
