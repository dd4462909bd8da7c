/// The short options of curl's command lines, of which several may stand behind one dash, the last
/// with its value: `-sSfL`, `-XPOST`, `-sofile`.
enum ShortOptions {
    /// The short options that take a value.
    static let withValue: Set<Character> = Set("AbcCdDeEFHmorTuUwxXy")

    /// The short options that take none.
    static let flags: Set<Character> = Set("fgGhiIjJkLnNOqsSv")

    /// The short options that the argument parser would not take for options.
    static let longNames: [Character: String] = [
        "4": "--ipv4", "6": "--ipv6", "#": "--progress-bar", "V": "--version",
    ]

    /// The long options that take a value, which may look like an option.
    static let longWithValue: Set<String> = [
        "abstract-unix-socket", "cache", "cacert", "capath", "cert", "cert-type", "ciphers",
        "connect-timeout", "connect-to", "continue-at", "cookie", "cookie-jar", "data",
        "data-ascii", "data-binary", "data-raw", "data-urlencode", "dump-header", "form",
        "form-string", "generate-completion-script", "header", "interface", "json", "key",
        "max-bytes", "max-filesize", "max-redirects", "max-redirs", "max-time", "netrc-file",
        "noproxy", "oauth2-bearer", "output", "output-dir", "pass", "pinnedpubkey", "proto-default",
        "proxy", "proxy-user", "range", "referer", "request", "resolve", "retry", "retry-delay",
        "retry-max-time", "socks4", "socks4a", "socks5", "socks5-hostname", "speed-time",
        "timeout", "tls-max", "tls13-ciphers", "transport", "unix-socket", "upload-file", "url",
        "user", "user-agent", "write-out",
    ]

    /// Returns the arguments with each short option in an argument of its own, and its value in the
    /// next one. Unknown options, and everything behind `--`, stay as they are.
    static func separated(_ arguments: [String]) -> [String] {
        var separated: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" { return separated + [argument] + rest }
            if argument.hasPrefix("--") {
                separated.append(argument)
                if longWithValue.contains(String(argument.dropFirst(2))),
                    let value = rest.popFirst()
                {
                    separated.append(value)
                }
            } else if argument.hasPrefix("-"), let cluster = cluster(argument.dropFirst()) {
                separated += cluster.parts
                if cluster.needsValue, let value = rest.popFirst() { separated.append(value) }
            } else {
                separated.append(argument)
            }
        }
        return separated
    }

    /// Returns the options behind a dash, the last with its value unless it needs that of the next
    /// argument, or `nil` if one is unknown.
    private static func cluster(_ letters: Substring) -> (parts: [String], needsValue: Bool)? {
        var parts: [String] = []
        var rest = letters
        while let letter = rest.popFirst() {
            if withValue.contains(letter) {
                parts.append("-\(letter)")
                return rest.isEmpty ? (parts, true) : (parts + [String(rest)], false)
            }
            guard let name = longNames[letter] ?? (flags.contains(letter) ? "-\(letter)" : nil)
            else { return nil }
            parts.append(name)
        }
        return parts.isEmpty ? nil : (parts, false)
    }
}
