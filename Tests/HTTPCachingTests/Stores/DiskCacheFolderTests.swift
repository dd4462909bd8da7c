import HTTPCaching
import HTTPCore
import TestSupport
import Testing
import PortableFoundation
import PortableLibc

@Suite struct DiskCacheFolderTests {
    private typealias Sample = CacheSample
    private typealias Folder = DiskCacheTestFolder

    private func expectUnusable(_ path: String, _ clause: String) {
        let error = #expect(throws: HTTPError.self) {
            try HTTPDiskCacheStore(folder: path, limit: 1 << 20)
        }
        #expect(error?.code == .cacheFolderUnusable)
        #expect(error?.message.contains(clause) == true, "\(String(describing: error))")
    }

    @Test func `the folder and its parents are created`() async throws {
        let folder = try Folder()
        let path = folder.path + "/a/b/"
        let store = try HTTPDiskCacheStore(folder: path, limit: 1 << 20)
        #expect(try await store.store(Sample.response(), Sample.bytes(10)) != nil)
        #expect(try Folder.mode(of: folder.path + "/a") == 0o700)
    }

    @Test func `a path that cannot be a folder is refused`() throws {
        let folder = try Folder()
        expectUnusable("", "empty")
        expectUnusable("a\u{0}b", "NUL")
        try Folder.write([1], to: folder.path)
        expectUnusable(folder.path, "a file has this name")
        expectUnusable(folder.path + "/below", "cannot")
        expectUnusable("/proc/none", "cannot be")
    }

    @Test(arguments: [0o770, 0o707, 0o777, 0o720, 0o702])
    func `a folder that others may write to is refused`(mode: Int) throws {
        let folder = try Folder()
        _ = try folder.open()
        try Folder.setMode(mode, of: folder.path)
        expectUnusable(folder.path, "chmod 700")
        try Folder.setMode(0o755, of: folder.path)
        try Folder.setMode(mode, of: folder.path + "/v1")
        expectUnusable(folder.path, "chmod 700")
        try Folder.setMode(0o755, of: folder.path + "/v1")
        _ = try folder.open()
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder to another user"))
    func `a folder of another user is refused, also by root`() throws {
        let folder = try Folder()
        _ = try folder.open()
        try #require(unsafe chown(folder.path, 65_534, 65_534) == 0)
        expectUnusable(folder.path, "another user")
    }

    @Test(arguments: [0o500, 0o600, 0o300, 0o000])
    func `a folder that the user cannot use is refused`(mode: Int) throws {
        let folder = try Folder()
        _ = try folder.open()
        try Folder.setMode(mode, of: folder.path)
        defer { try? Folder.setMode(0o700, of: folder.path) }
        expectUnusable(folder.path, "")
    }

    // MARK: Names that something else has

    enum Intruder: CaseIterable {
        case link, danglingLink, loop, folderLink, pipe, socket, folder

        func take(_ path: String, target: String) throws {
            try? FileManager.default.removeItem(atPath: path)
            switch self {
            case .link:
                try DiskCacheTestFolder.write([1, 2, 3], to: target)
                try FileManager.default.createSymbolicLink(
                    atPath: path, withDestinationPath: target)
            case .folderLink:
                try FileManager.default.createDirectory(
                    atPath: target, withIntermediateDirectories: false)
                try FileManager.default.createSymbolicLink(
                    atPath: path, withDestinationPath: target)
            case .danglingLink:
                try FileManager.default.createSymbolicLink(
                    atPath: path, withDestinationPath: target)
            case .loop:
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
            case .pipe: try DiskCacheTestFolder.makePipe(path)
            case .socket:
                guard unsafe mknod(path, S_IFSOCK | 0o600, 0) == 0 else { throw SystemError(errno) }
            case .folder:
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: false)
            }
        }
    }

    private func kind(_ path: String) -> mode_t {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return 0 }
        return status.st_mode & S_IFMT
    }

    @Test(arguments: Intruder.allCases)
    func `what is in the place of a lock is refused once, and replaced`(
        intruder: Intruder
    ) async throws {
        let folder = try Folder()
        let store = try folder.open()
        try await store.store(Sample.response(1), Sample.bytes(10))
        let entry = try #require(try folder.files(".entry").first)
        let lock = entry.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/lock"
        let target = folder.path + "/target"

        try intruder.take(lock, target: target)
        let error = await #expect(throws: HTTPError.self) {
            try await store.store(Sample.response(1), Sample.bytes(20))
        }
        #expect(error?.code == .cacheStoreFailed)
        #expect(error?.message.contains("is not a regular file: it was replaced") == true)
        #expect(kind(lock) == S_IFREG)
        #expect(try await store.store(Sample.response(1), Sample.bytes(20)) != nil)
        #expect(try await store.bytes(of: 1) == Sample.bytes(20))

        // What removes responses does so at once: a stale one must not remain.
        try? FileManager.default.removeItem(atPath: target)
        try intruder.take(lock, target: target)
        try await store.remove(Sample.key)
        #expect(try await store.ids().isEmpty)
        #expect(kind(lock) == S_IFREG)
        if intruder == .link { #expect(try Folder.read(target) == [1, 2, 3]) }
        if intruder == .danglingLink { #expect(kind(target) == 0) }
    }

    @Test(arguments: Intruder.allCases)
    func `what is in the place of the sweep's lock does not end sweeping`(
        intruder: Intruder
    ) async throws {
        let folder = try Folder()
        let store = try folder.open(limit: 100_000)
        try intruder.take(folder.path + "/v1/lock", target: folder.path + "/target")
        for number in 0..<50 {
            try await store.store(
                Sample.response(number), Sample.bytes(10_000), for: Sample.key(number))
        }
        await store.settle()
        #expect(try await store.sweep() ?? .max <= 100_000)
        #expect(kind(folder.path + "/v1/lock") == S_IFREG)
    }

    @Test(arguments: Intruder.allCases.filter { $0 != .folder })
    func `what is in the place of a shard's folder is replaced`(intruder: Intruder) async throws {
        let folder = try Folder()
        let store = try folder.open()
        try await store.store(Sample.response(1), Sample.bytes(10))
        let entry = try #require(try folder.files(".entry").first)
        let shard = entry.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let target = folder.path + "/target"
        try intruder.take(shard, target: target)
        #expect(try await store.ids().isEmpty)
        #expect(try await store.store(Sample.response(1), Sample.bytes(20)) != nil)
        #expect(try await store.bytes(of: 1) == Sample.bytes(20))
        #expect(kind(shard) == S_IFDIR)
        if intruder == .folderLink {
            #expect(try FileManager.default.contentsOfDirectory(atPath: target).isEmpty)
        }
        try await store.store(Sample.response(2), Sample.bytes(50_000), for: Sample.key(2))
        #expect(try await store.bytes(of: 2, for: Sample.key(2)) == Sample.bytes(50_000))
    }

    @Test func `a full folder in the place of a lock is not removed, and named`() async throws {
        let folder = try Folder()
        let store = try folder.open()
        try await store.store(Sample.response(1), Sample.bytes(10))
        let entry = try #require(try folder.files(".entry").first)
        let lock = entry.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/lock"
        try Intruder.folder.take(lock, target: "")
        try Folder.write([1], to: lock + "/file")
        for _ in 0..<2 {
            let error = await #expect(throws: HTTPError.self) {
                try await store.store(Sample.response(1), Sample.bytes(20))
            }
            #expect(error?.code == .cacheStoreFailed)
            #expect(error?.message.contains("could not be replaced") == true)
        }
        #expect(try Folder.read(lock + "/file") == [1])
    }

    /// A folder cannot be replaced with a file.
    @Test(arguments: [10, 50_000])
    func `an entry that cannot be put in its place leaves no file behind`(count: Int) async throws {
        let folder = try Folder()
        let store = try folder.open()
        try await store.store(Sample.response(1), Sample.bytes(count))
        let entry = try #require(try folder.files(".entry").first)
        try await store.remove(Sample.key)
        try Intruder.folder.take(entry, target: "")
        try Folder.write([1], to: entry + "/file")
        let before = try folder.files("")
        for _ in 0..<2 {
            let error = await #expect(throws: HTTPError.self) {
                try await store.store(Sample.response(1), Sample.bytes(count))
            }
            #expect(error?.code == .cacheStoreFailed)
        }
        await store.settle()
        #expect(try folder.files("") == before)
        #expect(try Folder.read(entry + "/file") == [1])
    }

    @Test func `many that find a wrong lock at once end with one lock`() async throws {
        let folder = try Folder()
        let stores = try (0..<4).map { _ in try folder.open() }
        try await stores[0].store(Sample.response(1), Sample.bytes(10))
        let entry = try #require(try folder.files(".entry").first)
        let lock = entry.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/lock"
        for round in 0..<20 {
            try Intruder.danglingLink.take(lock, target: folder.path + "/target")
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        let store = stores[number % stores.count]
                        let response = Sample.response(round * 16 + number, variant: "\(number)")
                        // Once more for those that the wrong lock has refused.
                        if (try? await store.store(response, Sample.bytes(10))) == nil {
                            _ = try? await store.store(response, Sample.bytes(10))
                        }
                    }
                }
            }
            let ids = Set(try await stores[0].ids())
            for number in 0..<16 { #expect(ids.contains(Sample.id(round * 16 + number))) }
            try await stores[0].remove(Sample.key)
        }
    }

    @Test func `files of other programs are never touched`() async throws {
        let folder = try Folder()
        let store = try folder.open(limit: 100_000)
        try await store.store(Sample.response(), Sample.bytes(10))
        let entry = try #require(try folder.files(".entry").first)
        let shard = entry.split(separator: "/").dropLast().joined(separator: "/")
        let stem = try #require(entry.split(separator: "/").last?.dropLast(6))
        let others = [
            folder.path + "/notes", folder.path + "/v1/notes", "/\(shard)/notes",
            "/\(shard)/\(stem).entry~", "/\(shard)/\(stem).body",
            "/\(shard)/\(stem.dropLast()).entry",
            "/\(shard)/\(stem).0123.temp", "/\(shard)/\(stem.uppercased())x.entry",
        ]
        for path in others {
            try Folder.write([1, 2, 3], to: path)
            try Folder.setAge(1_000_000, of: path)
        }
        for number in 0..<50 {
            try await store.store(
                Sample.response(number), Sample.bytes(10_000), for: Sample.key(number))
        }
        await store.settle()
        try await store.sweep()
        try await store.removeAll()
        #expect(try folder.files("0.entry", ".temp").count <= others.count)
        for path in others { #expect(try Folder.read(path) == [1, 2, 3]) }
    }
}
