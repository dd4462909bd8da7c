import HTTPCore
import PortableFoundation

/// The JSON format of cookie files, which keeps everything: all attributes, dates, and bytes that
/// are not UTF-8.
///
/// An object with a version and an array of cookies, one per line.
enum JSONCookies {
    typealias Cookie = HTTPCookieJar.Cookie
    typealias FileFlaw = HTTPCookieJar.FileFlaw

    static let version = 1

    // MARK: Writing

    static func bytes(of cookies: [Cookie]) throws(HTTPError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var bytes = Array("{\"version\":\(version),\"cookies\":[".utf8)
        for (index, cookie) in cookies.enumerated() {
            bytes += index == 0 ? Array("\n".utf8) : Array(",\n".utf8)
            do {
                bytes += try encoder.encode(Record(cookie))
            } catch {
                throw HTTPError(
                    .internalFailure, "the cookie \(cookie.name.logSafe) cannot be encoded")
            }
        }
        return bytes + Array("\n]}\n".utf8)
    }

    // MARK: Reading

    /// Returns the cookies of a file, and the positions of those that are invalid.
    ///
    /// - Throws: `cookiesNotRead` if the file is not JSON, or has another version.
    static func cookies(
        in bytes: [UInt8], suffixes: PublicSuffixList
    ) throws(HTTPError) -> (cookies: [Cookie], flaws: [FileFlaw]) {
        guard !bytes.isEmpty else { return ([], []) }
        let decoder = JSONDecoder()
        // The underlying error could contain a value.
        guard let head = try? decoder.decode(Head.self, from: Data(bytes)) else {
            throw HTTPError(.cookiesNotRead, "the file is not a cookie file in JSON")
        }
        guard head.version == version else {
            throw HTTPError(
                .cookiesNotRead, "the file has version \(head.version); known is \(version)")
        }
        guard let file = try? decoder.decode(File.self, from: Data(bytes)) else {
            throw HTTPError(.cookiesNotRead, "the file is not a cookie file in JSON")
        }
        var cookies: [Cookie] = []
        var flaws: [FileFlaw] = []
        var hosts = Cookie.Hosts(suffixes: suffixes)
        for (index, entry) in file.cookies.enumerated() {
            do throws(Cookie.Flaw) {
                guard let record = entry.record else {
                    throw Cookie.Flaw(reason: "a part is missing or has another type")
                }
                cookies.append(try record.cookie(in: &hosts))
            } catch {
                flaws.append(FileFlaw(line: index + 1, reason: error.reason))
            }
        }
        return (cookies, flaws)
    }

    private struct Head: Decodable {
        var version: Int
    }

    private struct File: Decodable {
        var cookies: [Entry]
    }

    /// An element of the array, valid or not.
    private struct Entry: Decodable {
        var record: Record?

        init(from decoder: any Decoder) throws { record = try? Record(from: decoder) }
    }
}

/// Bytes as text, or in Base64 if they are not UTF-8.
private struct BytesRecord: Codable {
    var text: String?
    var base64: Data?

    init(_ bytes: [UInt8]) {
        text = String(validating: bytes, as: UTF8.self)
        base64 = text == nil ? Data(bytes) : nil
    }

    var bytes: [UInt8]? { text.map { Array($0.utf8) } ?? base64.map(Array.init) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.text = text
        } else {
            base64 = try container.decode([String: Data].self)["base64"]
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let text {
            try container.encode(text)
        } else {
            try container.encode(["base64": base64 ?? Data()])
        }
    }
}

/// A cookie as it is written. Dates are seconds since 1970.
private struct Record: Codable {
    var name: BytesRecord
    var value: BytesRecord
    var domain: String
    var path: BytesRecord
    var hostOnly: Bool
    var secure: Bool
    var httpOnly: Bool
    var sameSite: String?
    var expires: Double?
    var created: Double
    var accessed: Double

    init(_ cookie: HTTPCookieJar.Cookie) {
        name = BytesRecord(cookie.nameBytes)
        value = BytesRecord(cookie.valueBytes)
        domain = cookie.domain
        path = BytesRecord(cookie.pathBytes)
        hostOnly = cookie.isHostOnly
        secure = cookie.isSecure
        httpOnly = cookie.isHTTPOnly
        sameSite = cookie.sameSite?.rawValue
        expires = cookie.expires?.timeIntervalSince1970
        created = cookie.creationDate.timeIntervalSince1970
        accessed = cookie.lastAccessDate.timeIntervalSince1970
    }

    func cookie(
        in hosts: inout HTTPCookieJar.Cookie.Hosts
    ) throws(HTTPCookieJar.Cookie.Flaw) -> HTTPCookieJar.Cookie {
        guard let name = name.bytes, let value = value.bytes, let path = path.bytes else {
            throw HTTPCookieJar.Cookie.Flaw(reason: "a part is missing or has another type")
        }
        var cookie = try HTTPCookieJar.Cookie(
            checking: HTTPCookieJar.Cookie.Parts(
                name: name, value: value, domain: domain, path: path, isHostOnly: hostOnly,
                isSecure: secure, isHTTPOnly: httpOnly,
                sameSite: sameSite.flatMap(HTTPCookieJar.Cookie.SameSite.init(rawValue:)),
                expires: expires.map(Date.init(timeIntervalSince1970:)), mayHaveDefaultPath: true),
            in: &hosts)
        cookie.creationDate = Date(timeIntervalSince1970: created)
        cookie.lastAccessDate = Date(timeIntervalSince1970: accessed)
        return cookie
    }
}
