public import HTTPCore
public import PortableFoundation
import PortableLibc

/// A source of passwords that reads a netrc file, for ``ChallengeAuthentication``.
///
/// The file is read each time a server asks, so it may be written, changed or removed while a
/// program runs. A file that does not exist has no passwords. A file that users other than its
/// owner may access is refused, as ftp does.
///
/// The file names hosts, but no schemes or ports. Its passwords go only to the standard ports of
/// http and https, and those of the `default` entry to no host, unless the parameters say
/// otherwise.
public struct NetrcFile: PasswordProvider {
    /// Exceptions to the rules for a file and its passwords.
    public struct Options: OptionSet, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Sends the password of the `default` entry to any host that asks.
        public static let defaultForAnyHost = Options(rawValue: 1)
        /// Accepts a file that other users may access, for example one from a container's runtime.
        public static let readableByOthers = Options(rawValue: 2)
    }

    private let path: String?
    private let ports: Set<Int>
    private let options: Options

    /// - Parameters:
    ///   - path: by default the path in the environment variable `NETRC`, or else `.netrc` in the
    ///     home folder.
    ///   - ports: the ports to which passwords are sent, besides 443 for https and 80 for http.
    ///   - options: Exceptions to the rules above; none by default.
    public init(_ path: String? = nil, ports: Set<Int> = [], options: Options = []) {
        self.path = path
        self.ports = ports
        self.options = options
    }

    /// Creates a provider of the passwords in the file of a file URL.
    public init(_ url: URL, ports: Set<Int> = [], options: Options = []) throws(HTTPError) {
        self.init(try url.filePath, ports: ports, options: options)
    }

    /// - Throws: `invalidNetrc` if the file cannot be read, belongs to another user (except root),
    ///   may be accessed by other users, or is not understood.
    public func credentials(for space: ProtectionSpace) async throws -> PasswordCredentials? {
        guard !space.isProxy else { return nil }
        return try credentials(for: space.origin)
    }

    /// Returns the file's credentials for a server, read now. ``BasicAuthentication`` needs them,
    /// because it does not wait for a challenge.
    ///
    /// - Throws: the same errors as ``credentials(for:)-(ProtectionSpace)``.
    package func credentials(for origin: HTTPOrigin) throws(HTTPError) -> PasswordCredentials? {
        guard origin.port == origin.scheme.defaultPort || ports.contains(origin.port),
            let path = path ?? Self.standardPath, let text = try read(path)
        else { return nil }
        guard let entry = try Netrc(text)[origin.host],
            entry.host != nil || options.contains(.defaultForAnyHost),
            entry.login != nil || entry.password != nil
        else { return nil }
        return PasswordCredentials(
            user: entry.login ?? "", password: entry.password ?? "", for: origin)
    }

    private static var standardPath: String? {
        func variable(_ name: String) -> String? {
            unsafe getenv(name).map { unsafe String(cString: $0) }
        }
        return variable("NETRC") ?? variable("HOME").map { $0 + "/.netrc" }
    }

    /// - Returns: `nil` if there is no such file.
    private func read(_ path: String) throws(HTTPError) -> String? {
        guard !path.utf8.contains(0) else { throw .invalidNetrc("its path contains a NUL byte") }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let error = SystemError(errno)
            if error.code == ENOENT { return nil }
            throw .invalidNetrc(error.description)
        }
        defer { close(descriptor) }
        // The open file is checked, because its name may refer to another file by now.
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .invalidNetrc(SystemError(errno).description)
        }
        guard status.st_mode & 0o077 == 0 || options.contains(.readableByOthers) else {
            throw .invalidNetrc(
                "users other than its owner may access it: remove that right (chmod 600), or allow "
                    + "it with readableByOthers")
        }
        if let flaw = FileFlaw(status, for: .reading) {
            throw .invalidNetrc(
                "\(flaw)" + (flaw == .mode ? ": remove that right (chmod o-w)" : ""))
        }
        var bytes = [UInt8](repeating: 0, count: Netrc.maximumLength + 1)
        var count = 0
        while count < bytes.count {
            let done = count
            let read = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe systemRead(
                    descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw .invalidNetrc(SystemError(errno).description) }
            if read == 0 { break }
            count += read
        }
        guard let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
            throw .invalidNetrc("it is not in UTF-8")
        }
        return text
    }
}

/// Calls the function of the system, which the method of the same name hides.
private func systemRead(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
    unsafe read(descriptor, buffer, count)
}
