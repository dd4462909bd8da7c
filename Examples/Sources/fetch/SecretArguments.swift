#if os(Linux)
    import HTTPClientKit

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
#endif

/// The secrets on the command line, which every user of the machine can read there.
enum SecretArguments {
    /// The options whose values are secret, or may contain a secret.
    private static let options: Set<String> = [
        "user", "proxy-user", "oauth2-bearer", "pass", "cert", "proxy", "url", "header", "cookie",
        "socks4", "socks4a", "socks5", "socks5-hostname",
    ]

    private static let letters: [Character: String] = [
        "u": "user", "U": "proxy-user", "E": "cert", "x": "proxy", "H": "header", "b": "cookie",
    ]

    /// Returns the arguments with blanks in place of the secrets, each as long as before.
    static func blanked(_ arguments: [String]) -> [[UInt8]] {
        var blanked: [[UInt8]] = []
        var option: String?
        var isOnlyURLs = false
        for argument in arguments {
            let bytes = Array(argument.utf8)
            if let name = option {
                option = nil
                blanked.append(Self.blanked(bytes, of: name))
            } else if isOnlyURLs || !argument.hasPrefix("-") || argument == "-" {
                blanked.append(Self.blanked(bytes, of: "url"))
            } else if argument == "--" {
                isOnlyURLs = true
                blanked.append(bytes)
            } else if argument.hasPrefix("--") {
                let name = argument.dropFirst(2).prefix { $0 != "=" }
                let head = name.utf8.count + 2
                if head < bytes.count {
                    blanked.append(
                        bytes[...head] + Self.blanked(Array(bytes[(head + 1)...]), of: "\(name)"))
                } else {
                    if ShortOptions.longWithValue.contains(String(name)) { option = String(name) }
                    blanked.append(bytes)
                }
            } else {
                let start = argument.dropFirst().firstIndex(where: ShortOptions.withValue.contains)
                guard let start else {
                    blanked.append(bytes)
                    continue
                }
                let name = letters[argument[start]] ?? ""
                let head = argument[...start].utf8.count
                if head == bytes.count { option = name }
                blanked.append(
                    bytes[..<head] + Self.blanked(Array(bytes[head...]), of: name))
            }
        }
        return blanked
    }

    /// Returns a value of an option with blanks in place of what is secret.
    private static func blanked(_ value: [UInt8], of option: String) -> [UInt8] {
        guard options.contains(option) else { return value }
        let secret: Range<Int>
        switch option {
        case "url", "proxy", "socks4", "socks4a", "socks5", "socks5-hostname":
            secret = userInfo(of: value)
        case "cert":
            // `file:passphrase`
            let colon = Self.unescapedColon(in: value)
            secret = min(colon + 1, value.count)..<value.count
        case "header":
            let colon = value.firstIndex(of: UInt8(ascii: ":")) ?? value.count
            let name = String(decoding: value[..<colon], as: UTF8.self)
            secret =
                HTTPHeaderName(name).isSensitive
                ? min(colon + 1, value.count)..<value.count : 0..<0
        // A file has no `=`.
        case "cookie": secret = value.contains(UInt8(ascii: "=")) ? 0..<value.count : 0..<0
        default: secret = 0..<value.count
        }
        return value.enumerated().map {
            secret.contains($0.offset) ? UInt8(ascii: " ") : $0.element
        }
    }

    /// The place of the first colon without a backslash before it, or the end.
    private static func unescapedColon(in value: [UInt8]) -> Int {
        let (colon, backslash) = (UInt8(ascii: ":"), UInt8(ascii: "\\"))
        var place = 0
        while place < value.count, value[place] != colon {
            let isEscape =
                value[place] == backslash && place + 1 < value.count
                && [colon, backslash].contains(value[place + 1])
            place += isEscape ? 2 : 1
        }
        return min(place, value.count)
    }

    /// The user information of a URL, which may have no scheme. See ``RequestURL``.
    private static func userInfo(of url: [UInt8]) -> Range<Int> {
        func isInAuthority(_ byte: UInt8) -> Bool { !"/?#".utf8.contains(byte) }
        var start = url.prefix(while: isInAuthority).count
        let hasScheme = url.prefix(start).last == UInt8(ascii: ":")
        start = hasScheme && url.dropFirst(start).starts(with: "//".utf8) ? start + 2 : 0
        let authority = url.dropFirst(start).prefix(while: isInAuthority)
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return 0..<0 }
        return start..<at
    }

    /// Blanks the secrets among the arguments of this process, as curl does. Programs that list
    /// processes then show none, except in the moment before.
    static func blank() {
        #if os(Linux)
            guard let arguments = ProcessArguments() else { return }
            let all = arguments.list
            let texts = all.dropFirst().map { String(decoding: $0, as: UTF8.self) }
            // An argument that is not UTF-8 would have another length.
            guard zip(texts, all.dropFirst()).allSatisfy({ Array($0.utf8) == $1 }) else { return }
            arguments.replace(with: all.prefix(1) + blanked(texts))
        #endif
    }
}

#if os(Linux)
    /// The memory that holds the arguments of this process, where the system reads them from.
    @safe private struct ProcessArguments {
        private let memory: UnsafeMutableRawBufferPointer

        /// The arguments, the program first.
        var list: [[UInt8]] {
            unsafe memory.split(separator: 0, omittingEmptySubsequences: false).dropLast()
                .map { unsafe Array($0) }
        }

        /// Finds the memory, whose place the system tells (proc(5)); `nil` if it does not.
        init?() {
            guard let status = try? InputFile("/proc/self/stat").readText(),
                let end = status.lastIndex(of: ")")
            else { return nil }
            // The third field follows the name of the program, which may contain blanks.
            let fields = status[end...].split(separator: " ").dropFirst().map { UInt($0) }
            guard fields.count >= 47, let start = fields[45], let stop = fields[46], start > 0,
                stop > start, stop - start <= 4 << 20,
                let pointer = unsafe UnsafeMutableRawPointer(bitPattern: start)
            else { return nil }
            unsafe memory = UnsafeMutableRawBufferPointer(start: pointer, count: Int(stop - start))
        }

        /// Writes arguments of the same lengths.
        func replace(with arguments: some Collection<[UInt8]>) {
            let bytes = Array(arguments.map { $0 + [0] }.joined())
            guard unsafe bytes.count == memory.count else { return }
            unsafe memory.copyBytes(from: bytes)
        }
    }
#endif
