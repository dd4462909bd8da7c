import HTTPCaching
import HTTPCore
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

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
