import HTTPClientKit

/// The URL of the command line: its text to send to, and the user name and password that it names.
struct RequestURL: Sendable {
    /// The scheme with its colon and slashes.
    private let scheme: String
    /// The text behind the scheme, without user information.
    private var rest: String
    /// The user information, `name:password`, decoded.
    let userInfo: String?

    /// The text without user information.
    var text: String { scheme + rest }

    /// - Parameter scheme: The scheme of a text that has none.
    /// - Throws: `invalidRequest` if the user information is not in percent encoding. Errors do not
    ///   quote it.
    init(_ argument: String, defaultScheme: String = "http") throws(HTTPError) {
        // `localhost:8080` has no scheme, though a colon may end one.
        let start = argument.prefix { !"/?#".contains($0) }
        if start.last == ":", argument.dropFirst(start.count).hasPrefix("//") {
            scheme = "\(start)//"
            rest = String(argument.dropFirst(start.count + 2))
        } else {
            scheme = "\(defaultScheme)://"
            rest = argument
        }
        let authority = rest.prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@") else {
            userInfo = nil
            return
        }
        guard let user = PercentCoding.decoded(authority[..<at]) else {
            throw HTTPError(
                .invalidRequest, "the user name or password in the URL is not in percent encoding")
        }
        userInfo = user
        rest.removeSubrange(...at)
    }

    /// Adds text to the query, before the fragment.
    mutating func addQuery(_ query: String) {
        guard !query.isEmpty else { return }
        let end = rest.firstIndex(of: "#") ?? rest.endIndex
        let head = rest[..<end]
        let separator = head.contains("?") ? (head.last == "?" || head.last == "&" ? "" : "&") : "?"
        rest = head + separator + query + rest[end...]
    }

    /// Adds a file's name if the path ends with a slash, or is empty.
    mutating func addFileName(_ file: String) {
        let path = path
        guard path.isEmpty || path.last == "/", let name = file.split(separator: "/").last else {
            return
        }
        let addition = (path.isEmpty ? "/" : "") + PercentCoding.encoded(name.utf8)
        rest.insert(contentsOf: addition, at: path.endIndex)
    }

    /// The last part of the path, for `-O`; `nil` if there is none.
    var fileName: String? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let name = path[path.index(after: slash)...]
        return name.isEmpty || name == "." || name == ".." ? nil : String(name)
    }

    /// The path, with its first slash.
    private var path: Substring {
        let end = rest.firstIndex { $0 == "?" || $0 == "#" } ?? rest.endIndex
        return rest[..<end].drop { $0 != "/" }
    }
}
