import HTTPCore
import HTTPMiddleware
import TestSupport
import Testing
import PortableFoundation
import PortableLibc

@Suite struct NetrcFileTests {
    private func file(_ text: String, mode: Int = 0o600) throws -> TemporaryFile {
        let file = try TemporaryFile(text, named: ".netrc")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        return file
    }

    private func user(_ netrc: NetrcFile, _ origin: String) throws -> String? {
        try netrc.credentials(for: HTTPOrigin(origin))?.user
    }

    @Test func `passwords go to the standard ports, and to others only when they are named`() throws
    {
        let file = try file("machine h login u password p")
        let netrc = NetrcFile(file.path)
        #expect(try user(netrc, "https://h") == "u")
        #expect(try user(netrc, "http://h") == "u")
        #expect(try user(netrc, "https://h:8443") == nil)
        #expect(try user(netrc, "http://h:443") == nil)
        #expect(try user(NetrcFile(file.path, ports: [8443]), "https://h:8443") == "u")
    }

    @Test func `the default entry is used for no host unless an option says so`() throws {
        let file = try file("default login u password p")
        #expect(try user(NetrcFile(file.path), "https://h") == nil)
        #expect(try user(NetrcFile(file.path, options: .defaultForAnyHost), "https://h") == "u")
    }

    @Test(arguments: [0o644, 0o640, 0o620, 0o601])
    func `a file that other users may access is refused without an option`(mode: Int) throws {
        let file = try file("machine h login u password p", mode: mode)
        let error = #expect(throws: HTTPError.self) {
            try user(NetrcFile(file.path), "https://h")
        }
        #expect(error?.code == .invalidNetrc)
        #expect(error?.message.contains("chmod 600") == true)
        #expect(try user(NetrcFile(file.path, options: .readableByOthers), "https://h") == "u")
    }

    @Test func `a file that all users may write is refused, also with the option`() throws {
        for mode in [0o602, 0o666] {
            let file = try file("machine h login u password p", mode: mode)
            for options in [[], .readableByOthers] as [NetrcFile.Options] {
                let error = #expect(throws: HTTPError.self) {
                    try user(NetrcFile(file.path, options: options), "https://h")
                }
                #expect(error?.code == .invalidNetrc)
                #expect(error?.message.contains("chmod") == true)
            }
        }
    }

    /// Root could change any file, so that its files are used, and root uses all.
    @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
    func `passwords that another user wrote are not used`() async throws {
        let file = try file("machine h login u password p", mode: 0o644)
        for owner in [65_533, 65_534, 0] as [uid_t] {
            try #require(unsafe chown(file.path, owner, owner) == 0)
            #expect(try user(NetrcFile(file.path, options: .readableByOthers), "https://h") == "u")
            await #expect(processExitsWith: .success) {
                [path = file.path as String, owner = owner as UInt32] in
                guard setuid(65_534) == 0 else { exit(7) }
                let netrc = NetrcFile(path, options: .readableByOthers)
                do {
                    let user = try netrc.credentials(for: HTTPOrigin("https://h"))?.user
                    exit(owner != 65_533 && user == "u" ? 0 : 1)
                } catch let error as HTTPError {
                    guard owner == 65_533, error.code == .invalidNetrc,
                        error.message.contains("belongs to another user")
                    else { exit(2) }
                }
                exit(0)
            }
        }
    }

    @Test func `the file is read when it is asked, and each time`() throws {
        let file = try file("machine h login a")
        let netrc = NetrcFile(file.path)
        #expect(try user(netrc, "https://h") == "a")
        let descriptor = try file.openForWriting()
        try Data("machine h login b".utf8).write(toDescriptor: descriptor, at: 0)
        file.close(descriptor)
        #expect(try user(netrc, "https://h") == "b")
    }

    @Test func `a missing file has no passwords; what is not a file is refused`() throws {
        #expect(try user(NetrcFile("/nonexistent/netrc"), "https://h") == nil)
        for path in ["/tmp", "/dev/null", "a\0b"] {
            #expect(throws: HTTPError.self) { try user(NetrcFile(path), "https://h") }
        }
    }

    @Test func `an entry without login and password is none, and a proxy has none`() async throws {
        let file = try file("machine h account a machine i password p")
        #expect(try user(NetrcFile(file.path), "https://h") == nil)
        #expect(try user(NetrcFile(file.path), "https://i") == "")
        let proxy = ProtectionSpace(
            origin: try HTTPOrigin("http://i"), realm: nil, isProxy: true, scheme: .basic)
        #expect(try await NetrcFile(file.path).credentials(for: proxy) == nil)
    }
}
