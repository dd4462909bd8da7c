import HTTPCore
import PortableFoundation
import PortableLibc

/// A proxy as others write them, on 127.0.0.1, with a configuration and a folder of its own.
final class ProxyProgram: Sendable {
    enum Kind: String, Sendable {
        /// HTTP, with Basic credentials when there are some.
        case tinyproxy, squid
        /// SOCKS5 with a password.
        case microsocks
        /// SOCKS4 and SOCKS5.
        case danted
        /// OpenSSH for SOCKS4, SOCKS4a and SOCKS5. It forwards through a server that it starts
        /// itself.
        case ssh
        /// TLS in front of another proxy.
        case haproxy

        var isAvailable: Bool {
            TestAuthority.isAvailable && ServerProcess.has(rawValue)
                && (self != .ssh || ServerProcess.has("sshd"))
        }
    }

    /// `true` if any user can create shared memory. squid does, and not as root.
    static let hasSharedMemory: Bool = {
        var status = stat()
        return unsafe stat("/dev/shm", &status) == 0 && status.st_mode & 0o002 != 0
    }()

    static let user = "alice"
    static let password = "s3cret"

    let port: UInt16
    private let process: ServerProcess
    private let folder: String
    private let name: String

    /// - Parameter server: what `haproxy` stands in front of.
    static func start(
        _ kind: Kind, asksForCredentials: Bool = false, before server: UInt16 = 0
    ) async throws -> ProxyProgram {
        let authority = try await TestAuthority.shared
        return try await ServerProcess.onThread {
            try ProxyProgram(kind, asksForCredentials, server, authority)
        }
    }

    private init(
        _ kind: Kind, _ asksForCredentials: Bool, _ server: UInt16, _ authority: TestAuthority
    ) throws {
        // Not the authority's folder: squid and danted read as other users than root.
        var template = Array("/tmp/http-curl-proxy-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw SystemError(errno) }
        let folder = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
        _ = unsafe chmod(folder, 0o755)
        let name = "httpcurl" + folder.suffix(6)
        (self.folder, self.name) = (folder, name)
        if kind == .squid, asksForCredentials {
            let lines = try ServerProcess.run("openssl", ["passwd", "-apr1", Self.password])
            try "\(Self.user):\(lines.first ?? "")\n".write(
                toFile: "\(folder)/passwords", atomically: false, encoding: .utf8)
        }
        if kind == .haproxy {
            let files = [authority.server.certificate, authority.server.key]
            let text = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
            try text.write(toFile: "\(folder)/pair", atomically: false, encoding: .utf8)
        }
        if kind == .ssh {
            for name in ["host", "key"] {
                _ = try ServerProcess.run(
                    "ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", "\(folder)/\(name)"])
            }
        }
        (process, port) = try ServerProcess.onFreePort { port in
            let configuration =
                switch kind {
                case .tinyproxy: Self.tinyproxy(port, asksForCredentials)
                case .squid: Self.squid(port, asksForCredentials, folder)
                case .danted: Self.danted(port)
                case .haproxy: Self.haproxy(port, server, folder)
                case .ssh: Self.sshd(folder)
                case .microsocks: ""
                }
            let file = "\(folder)/configuration"
            try configuration.write(toFile: file, atomically: false, encoding: .utf8)
            let arguments =
                switch kind {
                case .tinyproxy: ["-d", "-c", file]
                case .squid: ["-N", "-n", name, "-f", file]
                case .danted: ["-f", file, "-p", "\(folder)/pid"]
                case .haproxy: ["-db", "-f", file]
                case .ssh: try Self.ssh(port, folder)
                case .microsocks:
                    ["-i", "127.0.0.1", "-p", "\(port)", "-u", Self.user, "-P", Self.password]
                }
            return try ServerProcess(kind.rawValue, arguments)
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
        // squid creates them, although it shares them with no other process.
        for part in ["metadata", "queues", "readers"] {
            _ = unsafe unlink("/dev/shm/\(name)-cf__\(part).shm")
        }
    }

    private static func tinyproxy(_ port: UInt16, _ asksForCredentials: Bool) -> String {
        """
        Port \(port)
        Listen 127.0.0.1
        Timeout 600
        MaxClients 100
        \(asksForCredentials ? "BasicAuth \(user) \(password)" : "")

        """
    }

    private static func squid(
        _ port: UInt16, _ asksForCredentials: Bool, _ folder: String
    ) -> String {
        """
        http_port 127.0.0.1:\(port)
        visible_hostname proxy.test
        \(asksForCredentials ? """
            auth_param basic program /usr/lib/squid/basic_ncsa_auth \(folder)/passwords
            auth_param basic children 1
            auth_param basic realm test
            acl known proxy_auth REQUIRED
            http_access allow known
            http_access deny all
            """ : "http_access allow all")
        cache deny all
        cache_mem 0
        memory_cache_shared off
        cache_log /dev/null
        access_log none
        cache_store_log none
        pid_filename none
        netdb_filename none
        pinger_enable off
        coredump_dir \(folder)
        shutdown_lifetime 0 seconds
        max_filedescriptors 1024

        """
    }

    private static func danted(_ port: UInt16) -> String {
        """
        logoutput: /dev/null
        internal: 127.0.0.1 port = \(port)
        external: 127.0.0.1
        clientmethod: none
        socksmethod: none
        \(geteuid() == 0 ? "user.privileged: root\nuser.unprivileged: nobody" : "")
        client pass { from: 127.0.0.0/8 to: 0.0.0.0/0 }
        socks pass { from: 127.0.0.0/8 to: 0.0.0.0/0 command: connect }

        """
    }

    private static func sshd(_ folder: String) -> String {
        """
        HostKey \(folder)/host
        AuthorizedKeysFile \(folder)/key.pub
        StrictModes no
        UsePAM no
        PermitRootLogin prohibit-password
        PidFile none

        """
    }

    private static func ssh(_ port: UInt16, _ folder: String) throws -> [String] {
        guard let server = ServerProcess.path(of: "sshd") else {
            throw ServerProcess.Failure(description: "sshd is not installed")
        }
        // The folder where sshd confines clients before authentication. The package creates it only
        // when the service starts.
        if geteuid() == 0 { _ = unsafe mkdir("/run/sshd", 0o755) }
        let options = [
            "ProxyCommand=\(server) -i -f \(folder)/configuration", "IdentityFile=\(folder)/key",
            "IdentitiesOnly=yes", "BatchMode=yes", "StrictHostKeyChecking=no",
            "UserKnownHostsFile=/dev/null", "ExitOnForwardFailure=yes",
        ]
        return ["-F", "none", "-N", "-D", "127.0.0.1:\(port)"]
            + options.flatMap { ["-o", $0] } + ["127.0.0.1"]
    }

    private static func haproxy(_ port: UInt16, _ server: UInt16, _ folder: String) -> String {
        """
        global
          maxconn 100
        defaults
          mode tcp
          timeout connect 60s
          timeout client 600s
          timeout server 600s
        frontend front
          bind 127.0.0.1:\(port) ssl crt \(folder)/pair
          default_backend back
        backend back
          server proxy 127.0.0.1:\(server)

        """
    }
}
