import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The places where a machine keeps the certificates of the authorities that it trusts.
struct SystemAuthorities: Hashable, Sendable {
    /// A file with all certificates, in PEM.
    let file: String
    /// A directory with the same certificates under hashed names. OpenSSL reads those that it
    /// needs, when it needs them. To parse all of `file` takes it some 25 ms, once for each pool of
    /// connections.
    ///
    /// `nil` if there is no such directory, or if it holds other certificates than `file`. An
    /// authority that was added to the file alone, or removed from it, was changed on purpose.
    let directory: String?

    /// The places on this machine, looked up once; `nil` if they are unknown.
    static let here: SystemAuthorities? = {
        guard case .success(let library) = CurlLibrary.loaded,
            let file = library.certificateAuthorityFile
        else { return nil }
        // Other TLS libraries would read the whole directory.
        let isReadAsNeeded = library.tls.family == .openSSL
        return Self(
            file: file, directory: isReadAsNeeded ? library.certificateAuthorityDirectory : nil)
    }()

    /// The file or the directory that libcurl is to search. Never both: libcurl would parse the
    /// bundle for each connection.
    var searched: (file: String?, directory: String?) {
        directory == nil ? (file, nil) : (nil, directory)
    }

    /// - Parameter candidate: A directory that may hold the certificates of `file`.
    init(file: String, directory candidate: String?) {
        self.file = file
        directory = candidate.flatMap { candidate in
            guard let wanted = Self.certificates(inFile: file), !wanted.isEmpty else { return nil }
            return Self.certificates(inDirectory: candidate) == wanted ? candidate : nil
        }
    }

    /// Returns the certificates that OpenSSL would find in the directory, sorted.
    private static func certificates(inDirectory path: String) -> [[UInt8]]? {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            return nil
        }
        var found: [[UInt8]] = []
        for name in names where isHashed(name) {
            guard let more = certificates(inFile: "\(path)/\(name)") else { return nil }
            found += more
        }
        return sorted(found)
    }

    private static func sorted(_ certificates: [[UInt8]]) -> [[UInt8]] {
        var sorted: [[UInt8]] = []
        for certificate in certificates.sorted(by: { $0.lexicographicallyPrecedes($1) })
        where certificate != sorted.last {
            sorted.append(certificate)
        }
        return sorted
    }

    /// Returns `true` for a name that `openssl rehash` gives: eight digits of the subject's hash, a
    /// dot, a number.
    private static func isHashed(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return bytes.count > 9 && bytes[..<8].allSatisfy { $0.hexDigitValue != nil }
            && bytes[8] == UInt8(ascii: ".") && bytes[9...].allSatisfy(\.isASCIIDigit)
    }

    /// Returns the certificates in Base64 without line ends, sorted. Returns `nil` if the file
    /// cannot be read or also holds something else, such as certificates with limits on what they
    /// are trusted for.
    private static func certificates(inFile path: String) -> [[UInt8]]? {
        guard let text = try? Array(Data(contentsOf: URL(filePath: path))) else { return nil }
        var found: [[UInt8]] = []
        var current: [UInt8]?
        var start = 0
        while start < text.count {
            // The first responses wait for this, and `split` takes five times as long.
            var end = start
            while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
            let next = end + 1
            if end > start, text[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            let line = text[start..<end]
            start = next
            if line.first != UInt8(ascii: "-") {
                current? += line
            } else if line.elementsEqual("-----BEGIN CERTIFICATE-----".utf8) {
                current = []
            } else if line.elementsEqual("-----END CERTIFICATE-----".utf8), let whole = current {
                found.append(whole)
                current = nil
            } else {
                return nil
            }
        }
        return sorted(found)
    }
}
