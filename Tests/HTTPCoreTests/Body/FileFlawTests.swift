import HTTPCore
import TestSupport
import Testing
import PortableLibc

@Suite struct FileFlawTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var kind = S_IFREG
        var owner: uid_t = 1_000
        var links: UInt32 = 1
        var mode: mode_t = 0o600
        var user: uid_t = 1_000
        var reading: FileFlaw?
        var writing: FileFlaw?
        var testDescription: String { name }

        var status: stat {
            var status = stat()
            status.st_mode = kind | mode
            status.st_uid = owner
            status.st_nlink = numericCast(links)
            return status
        }
    }

    @Test(arguments: [
        Case(name: "the user's own"),
        Case(name: "readable by others", mode: 0o644),
        Case(name: "of root", owner: 0, writing: .owner),
        Case(name: "of root, used by root", owner: 0, user: 0),
        Case(name: "of a user, used by root", user: 0, writing: .owner),
        Case(name: "of another user", owner: 1_001, reading: .owner, writing: .owner),
        Case(name: "with two names", links: 2, writing: .links),
        Case(name: "without a name", links: 0, writing: .links),
        Case(name: "writable by the group", mode: 0o620, writing: .mode),
        Case(name: "writable by all", mode: 0o602, reading: .mode, writing: .mode),
        Case(name: "a folder", kind: S_IFDIR, reading: .kind, writing: .kind),
        Case(name: "a pipe", kind: S_IFIFO, reading: .kind, writing: .kind),
        Case(name: "a link", kind: S_IFLNK, reading: .kind, writing: .kind),
        Case(name: "a device", kind: S_IFCHR, reading: .kind, writing: .kind),
        Case(name: "a socket", kind: S_IFSOCK, reading: .kind, writing: .kind),
    ])
    func `a file of another user's making has a flaw`(test: Case) {
        #expect(FileFlaw(test.status, for: .reading, user: test.user) == test.reading)
        #expect(FileFlaw(test.status, for: .writing, user: test.user) == test.writing)
    }

    @Test(arguments: [
        Case(name: "the user's own", kind: S_IFDIR, links: 5, mode: 0o700),
        Case(name: "readable by others", kind: S_IFDIR, links: 5, mode: 0o755),
        Case(name: "of root", kind: S_IFDIR, owner: 0, mode: 0o755, writing: .owner),
        Case(name: "of a user, used by root", kind: S_IFDIR, mode: 0o755, user: 0, writing: .owner),
        Case(name: "writable by the group", kind: S_IFDIR, mode: 0o770, writing: .mode),
        Case(name: "writable by all", kind: S_IFDIR, mode: 0o1777, writing: .mode),
        Case(name: "a file", mode: 0o700, writing: .kind),
    ])
    func `a folder that others may change has a flaw`(test: Case) {
        #expect(FileFlaw(test.status, for: .folder, user: test.user) == test.writing)
    }
}
