import HTTPCore
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPCookies
import PortableFoundation

/// Several jars with one file, which see each other only through the file, as processes do.
@Suite(.timeLimit(.minutes(5))) struct HTTPCookieJarSharedFileTests {
    typealias Cookie = HTTPCookieJar.Cookie
    typealias FileFormat = HTTPCookieJar.FileFormat

    private let clock = HTTPTestClock()
    private let folder: CookieFolder

    init() throws { folder = try CookieFolder() }

    private func jar(_ format: FileFormat = .netscape) throws -> HTTPCookieJar {
        try .file(at: folder.path, format: format, clock: clock)
    }

    private func cookie(_ name: String, _ value: String = "1") throws -> Cookie {
        try Cookie(
            name, value, domain: "example.com", expires: clock.date.addingTimeInterval(1_000))
    }

    @Test(arguments: [FileFormat.netscape, .json])
    func `two jars keep each other's cookies`(format: FileFormat) async throws {
        let (a, b) = (try jar(format), try jar(format))
        a.set(try cookie("a"))
        b.set(try cookie("b"))
        a.set(try cookie("both", "a"))
        b.set(try cookie("both", "b"))
        try await a.save()
        try await b.save()
        #expect(b.pairs == ["a=1", "b=1", "both=b"])
        #expect(a.pairs == ["a=1", "both=a"])
        try await a.save()
        #expect(a.pairs == b.pairs)
        // What one removes, the other does not bring back.
        b.remove(name: "a", domain: "example.com")
        try await b.save()
        a.set(try cookie("c"))
        try await a.save()
        try await b.save()
        #expect(a.pairs == ["b=1", "both=b", "c=1"] && b.pairs == a.pairs)
        a.removeAll()
        a.set(try cookie("d"))
        try await a.save()
        try await b.save()
        #expect(a.pairs == ["d=1"] && b.pairs == ["d=1"])
        #expect(try jar(format).pairs == ["d=1"])
    }

    @Test func `a change by another program is taken over`() async throws {
        let jar = try jar()
        jar.set(try cookie("a"))
        jar.set(try Cookie("session", "1", domain: "example.com"))
        jar.set(try cookie("tab", "1\t2"))
        try await jar.save()
        try folder.write(
            "# Netscape HTTP Cookie File\nexample.com\tFALSE\t/\tFALSE\t784112000\tx\t2\n")
        try await jar.save()
        #expect(jar.pairs == ["session=1", "tab=1\t2", "x=2"])
    }

    @Test func `many jars write at the same time and lose nothing`() async throws {
        let jars = try (0..<8).map { _ in try jar() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, jar) in jars.enumerated() {
                group.addTask {
                    for round in 0..<5 {
                        jar.set(try cookie("n\(index)-\(round)"))
                        try await jar.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try jar().count == 40)
        for jar in jars {
            try await jar.save()
            #expect(jar.count == 40)
        }
    }

    @Test func `tasks that save one jar at the same time keep the order of changes`() async throws {
        let jar = try jar()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for round in 0..<10 {
                        jar.set(try cookie("n", "\(round)"))
                        try await jar.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        try await jar.save()
        #expect(try self.jar().pairs == jar.pairs)
    }

    @Test func `a reader always finds a whole file`() async throws {
        let writers = [try jar(.json), try jar(.json)]
        writers[0].set(try cookie("first"))
        try await writers[0].save()
        let rounds = TestCounts.scaled(200)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, writer) in writers.enumerated() {
                group.addTask {
                    for round in 0..<rounds {
                        // Files of very different lengths, so that a torn one would not parse.
                        let value = String(repeating: "v", count: round % 2 * 3_000)
                        writer.set(try cookie("n\(index)-\(round % 20)", value))
                        try await writer.save()
                    }
                }
            }
            group.addTask {
                for _ in 0..<rounds {
                    let found = try jar(.json)
                    #expect(found.flaws.isEmpty && found.cookies.contains { $0.name == "first" })
                    #expect(folder.mode() == 0o600)
                    await Task.yield()
                }
            }
            try await group.waitForAll()
        }
        #expect(folder.names == ["cookies.txt", "cookies.txt.lock"])
    }
}
