import ArgumentParser
import HTTPClientKit

/// The arguments for cookies.
struct CookieArguments: ParsableArguments {
    @Option(
        name: [.customShort("b"), .customLong("cookie")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            Cookies to send: 'name=value; name=value', or a file without an equals sign in its \
            name, which is read and not changed. '' only keeps cookies during the call.
            """, valueName: "cookies|file"))
    var cookies: [String] = []

    @Option(
        name: [.customShort("c"), .long], parsing: .unconditional,
        help: ArgumentHelp(
            """
            Send the cookies in this file and store those of responses in it. curl, wget and this \
            program can use the same file (-b and -c of curl).
            """, valueName: "file"))
    var cookieJar: String?

    @Flag(name: [.customShort("j"), .long], help: "Leave session cookies in files unused.")
    var junkSessionCookies = false

    func validate() throws {
        guard cookieJar != "-", !cookies.contains("-") else {
            throw ValidationError("cookies are read from files and written to files: - is none")
        }
    }

    /// The `Cookie` field that the arguments spell out.
    var field: String? {
        let fields = cookies.filter { $0.contains("=") }
        return fields.isEmpty ? nil : fields.joined(separator: "; ")
    }

    /// Returns the jar for the call, or `nil` if cookies are not kept.
    func makeJar() throws(HTTPError) -> HTTPCookieJar? {
        let files = cookies.filter { !$0.contains("=") }
        guard cookieJar != nil || !files.isEmpty else { return nil }
        let jar = try cookieJar.map { path throws(HTTPError) in try read(path) } ?? .inMemory
        for file in files where !file.isEmpty && file != cookieJar {
            for cookie in try read(file).cookies { jar.set(cookie) }
        }
        return jar
    }

    private func read(_ path: String) throws(HTTPError) -> HTTPCookieJar {
        // Commonly named to keep cookies during the call only.
        if path == "/dev/null" { return .inMemory }
        return try .file(at: path, keepingSessionCookies: !junkSessionCookies)
    }
}
