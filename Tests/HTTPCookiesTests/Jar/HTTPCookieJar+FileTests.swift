import HTTPCore
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPCookies
import PortableFoundation
import PortableLibc

@Suite(.timeLimit(.minutes(5))) struct HTTPCookieJarFileTests {
    typealias Cookie = HTTPCookieJar.Cookie
    typealias FileFormat = HTTPCookieJar.FileFormat

    private let clock = HTTPTestClock()
    private let folder: CookieFolder

    init() throws { folder = try CookieFolder() }

    private func jar(
        _ format: FileFormat = .netscape, keepingSessionCookies: Bool = false
    ) throws -> HTTPCookieJar {
        try .file(
            at: folder.path, format: format, keepingSessionCookies: keepingSessionCookies,
            clock: clock)
    }

    private func cookie(_ name: String, _ value: String = "1", life: Double? = 60) throws -> Cookie
    {
        try Cookie(
            name, value, domain: "example.com",
            expires: life.map { clock.date.addingTimeInterval($0) })
    }

    // MARK: Round trips

    @Test(arguments: [FileFormat.netscape, .json])
    func `a saved jar is read again`(format: FileFormat) async throws {
        let jar = try jar(format)
        try jar.receive(
            "a=1; Max-Age=60; Domain=example.com; Path=/x; Secure; HttpOnly; SameSite=Lax",
            "b=\"2\" 3; Max-Age=100", "session=4", from: "https://www.example.com/")
        #expect(folder.names.isEmpty)
        try await jar.save()
        #expect(folder.names == ["cookies.txt", "cookies.txt.lock"])
        #expect(folder.mode() == 0o600 && folder.mode(of: "cookies.txt.lock") == 0o600)
        clock.advance(by: .seconds(1))
        let other = try self.jar(format)
        let kept = jar.cookies.filter { $0.expires != nil }
        #expect(other.cookies.map(\.key) == kept.map(\.key) && other.count == 2)
        #expect(zip(other.cookies, kept).allSatisfy { $0.valueBytes == $1.valueBytes })
        #expect(other.cookies.map(\.expires) == kept.map(\.expires))
        #expect(other.cookies.map(\.isSecure) == [true, false])
        #expect(other.cookies.map(\.isHTTPOnly) == [true, false])
        #expect(other.cookies.map(\.sameSite) == (format == .json ? [.lax, nil] : [nil, nil]))
        let created = format == .json ? testDate : clock.date
        #expect(other.cookies.map(\.creationDate) == [created, created])
        #expect(try other.field(for: "https://www.example.com/x") == "a=1; b=\"2\" 3")
    }

    @Test(arguments: [FileFormat.netscape, .json])
    func `a cookie with the path of its URL is read again, whatever that is`(
        format: FileFormat
    ) async throws {
        let jar = try jar(format)
        let paths = ["/a;b=c", "/" + String(repeating: "l", count: 2_000)]
        for path in paths {
            try jar.receive("a=1; Max-Age=60", from: "https://example.com\(path)/page")
            let error = #expect(throws: HTTPError.self) {
                try Cookie("a", "1", domain: "example.com", path: path)
            }
            #expect(error?.code == .invalidCookie)
        }
        try await jar.close()
        let other = try self.jar(format)
        #expect(other.flaws.isEmpty && Set(other.cookies.map(\.path)) == Set(paths))
    }

    @Test func `the dates of access are kept in JSON`() async throws {
        let jar = try jar(.json)
        jar.set(try cookie("a"))
        try await jar.save()
        clock.advance(by: .seconds(10))
        #expect(try jar.field(for: "https://example.com/") == "a=1")
        try await jar.save()
        let read = try #require(try self.jar(.json).cookies.first)
        #expect(read.lastAccessDate == clock.date && read.creationDate == testDate)
    }

    @Test func `session cookies are written and read on request`() async throws {
        let keeping = try jar(keepingSessionCookies: true)
        keeping.set(try cookie("s", life: nil))
        keeping.set(try cookie("a"))
        try await keeping.save()
        #expect(try jar().pairs == ["a=1"])
        #expect(try jar(keepingSessionCookies: true).pairs == ["a=1", "s=1"])
        // A jar that does not keep them leaves those of others in the file.
        let plain = try jar()
        plain.set(try cookie("b"))
        plain.set(try cookie("t", life: nil))
        try await plain.save()
        #expect(try jar(keepingSessionCookies: true).pairs == ["a=1", "b=1", "s=1"])
        #expect(plain.pairs == ["a=1", "b=1", "t=1"])
        // A session cookie in place of a persistent one removes that from the file.
        plain.set(try cookie("a", "2", life: nil))
        try await plain.save()
        #expect(try jar().pairs == ["b=1"])
        #expect(plain.pairs == ["a=2", "b=1", "t=1"])
    }

    @Test func `a session cookie of curl survives a jar that does not keep such cookies`()
        async throws
    {
        let line = "example.com\tFALSE\t/\tFALSE\t0\tsid\tcurl"
        try folder.write("# Netscape HTTP Cookie File\n\(line)\n")
        let jar = try jar()
        try jar.receive("sid=own; Path=/", "a=1; Max-Age=60", from: "https://example.com/")
        try await jar.save()
        #expect(folder.lines.count == 2 && folder.lines.first == line)
        #expect(jar.pairs == ["a=1", "sid=own"])
    }

    @Test func `a jar keeps its session cookies when another one does not keep its own`()
        async throws
    {
        let keeping = try jar(keepingSessionCookies: true)
        keeping.set(try cookie("sid", "mine", life: nil))
        try await keeping.save()
        let other = try jar()
        try other.receive("sid=other; Path=/", "a=1; Max-Age=60", from: "https://example.com/")
        try await other.save()
        try await keeping.save()
        #expect(keeping.pairs == ["a=1", "sid=mine"] && other.pairs == ["a=1", "sid=other"])
        #expect(try jar(keepingSessionCookies: true).pairs == ["a=1", "sid=mine"])
    }

    @Test func `expired cookies are neither read nor written`() async throws {
        let jar = try jar()
        jar.set(try cookie("a", life: 10))
        jar.set(try cookie("b", life: 30))
        try await jar.save()
        clock.advance(by: .seconds(20))
        #expect(try self.jar().pairs == ["b=1"])
        jar.set(try cookie("c"))
        try await jar.save()
        #expect(folder.lines.count == 2)
    }

    @Test func `a removed cookie is removed from the file`() async throws {
        let jar = try jar()
        jar.set(try cookie("a"))
        jar.set(try cookie("b"))
        try await jar.save()
        jar.remove(name: "a", domain: "example.com")
        try await jar.save()
        #expect(folder.lines.count == 1)
        jar.removeAll()
        try await jar.save()
        #expect(folder.lines.isEmpty && folder.text?.isEmpty == false)
    }

    @Test func `saving without a change does not touch the file`() async throws {
        let jar = try jar()
        try await jar.save()
        #expect(folder.names == ["cookies.txt.lock"])
        jar.set(try cookie("a"))
        try await jar.save()
        let number = try FileManager.default.attributesOfItem(atPath: folder.path)[
            .systemFileNumber]
        try await jar.save()
        let same = try FileManager.default.attributesOfItem(atPath: folder.path)[
            .systemFileNumber]
        #expect(number as? UInt64 == same as? UInt64)
    }

    // MARK: Flaws

    @Test func `broken lines are reported, skipped and dropped`() async throws {
        let good = "example.com\tFALSE\t/\tFALSE\t784111900\tgood\t1"
        try folder.write("# Netscape HTTP Cookie File\n\(good)\nbroken secret\n")
        let jar = try jar()
        #expect(jar.pairs == ["good=1"] && jar.flaws.map(\.line) == [3])
        jar.set(try cookie("a"))
        try await jar.save()
        let added = good.replacing("784111900", with: "784111837").replacing("good", with: "a")
        #expect(folder.lines == [good, added])
        #expect(jar.flaws.map(\.line) == [3])
        #expect(jar.flaws.first?.description.contains("secret") == false)
    }

    @Test func `the last line of a cookie counts`() async throws {
        let line = "example.com\tFALSE\t/\tFALSE\t784111900\ta\t"
        try folder.write("# HTTP Cookie File\n\(line)1\n\(line)2\n")
        let jar = try jar()
        #expect(jar.pairs == ["a=2"])
        jar.set(try cookie("a", "3"))
        try await jar.save()
        #expect(folder.lines.count == 1 && jar.pairs == ["a=3"])
        #expect(try self.jar().pairs == ["a=3"])
    }

    @Test func `a cookie that the format cannot express stays in memory`() async throws {
        let jar = try jar()
        jar.set(try cookie("a", "secret\t2"))
        jar.set(try cookie("b"))
        try await jar.save()
        try await jar.save()
        #expect(jar.pairs == ["a=secret\t2", "b=1"] && folder.lines.count == 1)
        #expect(jar.flaws.count == 1 && jar.flaws.first?.line == nil)
        #expect(jar.flaws.first?.reason.contains("\"a\" of example.com") == true)
        #expect(!"\(jar.flaws)".contains("secret"))
    }

    // MARK: Refused files

    @Test(arguments: [FileFormat.netscape, .json])
    func `a file of another kind is refused and not overwritten`(format: FileFormat) throws {
        try folder.write("a text of the user")
        let error = #expect(throws: HTTPError.self) { try jar(format) }
        #expect(error?.code == .cookiesNotRead && folder.text == "a text of the user")
    }

    @Test func `a file that all users may write is refused`() async throws {
        let jar = try jar()
        jar.set(try cookie("a"))
        try await jar.save()
        try folder.change(mode: 0o646)
        let error = #expect(throws: HTTPError.self) { try self.jar() }
        #expect(error?.code == .cookiesNotRead && error?.message.contains("chmod") == true)
        // A file that others may read is taken, and is private after the next save.
        try folder.change(mode: 0o664)
        let other = try self.jar()
        other.set(try cookie("b"))
        try await other.save()
        #expect(folder.mode() == 0o600 && folder.lines.count == 2)
    }

    /// Root could change any file, so that its files are used, and root uses all.
    @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
    func `cookies that another user wrote are not used`() async throws {
        let jar = try jar()
        jar.set(try cookie("a"))
        try await jar.save()
        try folder.change(mode: 0o644)
        for owner in [65_533, 65_534, 0] as [uid_t] {
            try #require(unsafe chown(folder.path, owner, owner) == 0)
            #expect(try self.jar().count == 1)
            await #expect(processExitsWith: .success) {
                [path = folder.path as String, owner = owner as UInt32] in
                guard setuid(65_534) == 0 else { exit(7) }
                do {
                    let jar = try HTTPCookieJar.file(at: path, clock: HTTPTestClock())
                    exit(owner != 65_533 && jar.count == 1 ? 0 : 1)
                } catch let error as HTTPError {
                    guard owner == 65_533, error.code == .cookiesNotRead,
                        error.message.contains("belongs to another user")
                    else { exit(2) }
                }
                exit(0)
            }
        }
    }

    // Root can open every folder, so that the test could not fail.
    @Test(.enabled(if: geteuid() != 0, "the user is root"))
    func `a folder that cannot be synced is no error`() async throws {
        // Only the files in it can be opened.
        try folder.change(mode: 0o300, of: ".")
        let jar = try jar()
        jar.set(try cookie("a"))
        try await jar.close()
        try folder.change(mode: 0o700, of: ".")
        #expect(folder.lines.count == 1)
    }

    @Test func `a path that cannot be a file is refused`() throws {
        for path in ["", "a\u{0}b", folder.folder, folder.folder + "/none/cookies.txt"] {
            let error = #expect(throws: HTTPError.self) {
                try HTTPCookieJar.file(at: path, clock: clock)
            }
            #expect(error?.code == .cookiesNotRead)
        }
    }

    @Test func `a symbolic link is followed and stays`() async throws {
        let link = folder.folder + "/link"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: folder.path)
        let dangling = #expect(throws: HTTPError.self) {
            try HTTPCookieJar.file(at: link, clock: clock)
        }
        #expect(dangling?.code == .cookiesNotRead)
        try folder.write("")
        let jar = try HTTPCookieJar.file(at: link, clock: clock)
        jar.set(try cookie("a"))
        try await jar.save()
        #expect(folder.lines.count == 1 && folder.mode() == 0o600)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == folder.path)
        #expect(folder.names == ["cookies.txt", "cookies.txt.lock", "link"])
    }

    @Test func `a file that was removed is written again with all cookies`() async throws {
        let jar = try jar()
        jar.set(try cookie("a"))
        try await jar.save()
        try FileManager.default.removeItem(atPath: folder.path)
        jar.set(try cookie("b"))
        try await jar.save()
        #expect(jar.pairs == ["a=1", "b=1"] && folder.lines.count == 2)
    }

    @Test(arguments: [FileFormat.netscape, .json])
    func `a file that a program has cut is written again with all cookies`(
        format: FileFormat
    ) async throws {
        let jar = try jar(format)
        jar.set(try cookie("a"))
        try await jar.save()
        try folder.write("")
        try await jar.save()
        #expect(jar.pairs == ["a=1"])
        try folder.write("")
        jar.set(try cookie("b"))
        try await jar.save()
        #expect(jar.pairs == ["a=1", "b=1"])
        #expect(try self.jar(format).pairs == ["a=1", "b=1"])
    }

    @Test func `a jar without cookies leaves an empty file to its writer`() async throws {
        try folder.write("")
        try await jar().save()
        #expect(folder.text == "")
    }

    // MARK: Large files

    @Test func `a file keeps the cookies that do not fit into memory`() async throws {
        let lines = (0..<20_000).map {
            "h\($0 / 100).example\tFALSE\t/\tFALSE\t784111900\tn\($0)\tv"
        }
        try folder.write(lines.joined(separator: "\n"))
        let jar = try jar()
        #expect(jar.count == 3_000 && jar.flaws.isEmpty)
        try await jar.save()
        #expect(folder.lines == lines && jar.count == 3_000)
    }
}
