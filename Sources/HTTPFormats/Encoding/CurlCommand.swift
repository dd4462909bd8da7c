public import HTTPCore
import PortableFoundation

extension HTTPRequest {
    /// Returns a command line that sends this request with the `curl` program from a POSIX shell.
    ///
    /// All text from outside is quoted, so that no URL, field or body can be more than an argument.
    /// Secrets become variables of the shell: `$AUTHORIZATION`, `$COOKIE`, or `$ACCESS_TOKEN` for a
    /// query parameter `access_token`. The command can therefore be shown, and works once they are
    /// set. The body is shown as it is, secret or not. A body that is not text, is not in memory,
    /// or is longer than 64 KiB is read from a file. Characters that control a terminal or reorder
    /// text are written as commands of the shell, which put them back.
    ///
    /// The request is rendered as it is. Render ``prepared()`` to see what ``modify(_:)`` adds.
    /// curl itself adds `User-Agent` and `Accept` to requests that have none.
    ///
    /// - Parameters:
    ///   - showingSecrets: `true` to write secrets out. Such a command is itself a secret.
    ///   - bodyFile: The name of the file with the body, if the command needs one and the body is
    ///     not a file itself.
    public func curlCommand(showingSecrets: Bool = false, bodyFile: String = "body") -> String {
        var command = CurlCommand(showingSecrets: showingSecrets)
        command.add(url: url.absoluteString)
        command.add(method, hasBody: !body.isEmpty)
        command.add(version)
        command.add(timeouts)
        command.add(headers)
        if !headers.contains(.acceptEncoding), !headers.contains(.range) {
            command.add(option: "--compressed")
        }
        if !body.isEmpty {
            if !headers.contains(.contentType) {
                // Without this, curl would send the type of a form.
                command.add(option: "-H", ShellWord("Content-Type:"))
            }
            command.add(body, file: bodyFile)
        }
        return command.text
    }
}

/// The words of a curl command; each line holds one option.
private struct CurlCommand {
    let showingSecrets: Bool
    private var lines = ["curl"]
    private var placeholders: [String: Int] = [:]

    init(showingSecrets: Bool) { self.showingSecrets = showingSecrets }

    var text: String { lines.joined(separator: " \\\n  ") }

    mutating func add(option: String, _ word: ShellWord? = nil) {
        lines.append(word.map { "\(option) \($0.text)" } ?? option)
    }

    mutating func add(url: String) {
        guard let uri = try? URIReference(url) else {
            lines[0] += " " + ShellWord(url).text
            return
        }
        var word = ShellWord()
        word.append(text: uri.scheme.map { "\($0):" } ?? "")
        if let authority = uri.authority {
            word.append(text: "//")
            if let userInfo = authority.userInfo {
                append(secret: userInfo.utf8, named: "userinfo", to: &word)
                word.append(text: "@")
            }
            word.append(text: "\(authority.host)\(authority.port.map { ":\($0)" } ?? "")")
        }
        word.append(text: uri.path)
        if let query = uri.query {
            word.append(text: "?")
            append(query: query, to: &word)
        }
        lines[0] += " " + word.text
        // curl expands braces and brackets, and shortens a path with dots.
        if url.utf8.contains(where: "[]{}".utf8.contains) { add(option: "--globoff") }
        if uri.path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
            add(option: "--path-as-is")
        }
    }

    private mutating func append(query: Substring, to word: inout ShellWord) {
        for (position, pair) in query.split(separator: "&", omittingEmptySubsequences: false)
            .enumerated()
        {
            if position > 0 { word.append(text: "&") }
            guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")),
                case let name = String(
                    decoding: Array(pair[..<equals].utf8).percentDecoded(), as: UTF8.self),
                Self.isSecret(parameter: name)
            else {
                word.append(text: pair)
                continue
            }
            word.append(text: pair[...equals])
            append(secret: pair[pair.utf8.index(after: equals)...].utf8, named: name, to: &word)
        }
    }

    private static func isSecret(parameter name: String) -> Bool {
        HTTPHeaderName(name).isSensitive || secretParameters.contains(name.lowercased())
    }

    /// The names of secret parameters, in addition to those that are secret as a field.
    private static let secretParameters: Set = ["key", "sig", "auth", "pass", "pwd", "code"]

    mutating func add(_ method: HTTPMethod, hasBody: Bool) {
        switch method {
        case .get where !hasBody: break
        case .head where !hasBody: add(option: "--head")
        case .post where hasBody: break
        default: add(option: "-X", ShellWord(method.rawValue))
        }
    }

    mutating func add(_ version: HTTPVersion?) {
        switch version {
        case nil: break
        case .http1_0: add(option: "--http1.0")
        case .http1_1: add(option: "--http1.1")
        case .http2: add(option: "--http2")
        case .http3: add(option: "--http3-only")
        }
    }

    mutating func add(_ timeouts: HTTPTimeouts) {
        for (option, limit) in [
            ("--connect-timeout", timeouts.connect), ("--max-time", timeouts.total),
        ] {
            guard case .after(let duration) = limit else { continue }
            add(option: "\(option) \(duration / .seconds(1))")
        }
    }

    mutating func add(_ headers: HTTPHeaders) {
        for position in headers.indices {
            headers.withBytes(at: position) { name, value in
                var word = ShellWord()
                word.append(bytes: name)
                if value.isEmpty {
                    word.append(text: ";")  // with a colon, curl would remove the field
                } else {
                    word.append(text: ": ")
                    if headers[position].isSensitive {
                        append(
                            secret: value, named: String(decoding: name, as: UTF8.self), to: &word)
                    } else {
                        word.append(bytes: value)
                    }
                }
                add(option: "-H", word)
            }
        }
    }

    mutating func add(_ body: HTTPBody, file name: String) {
        if let bytes = body.bytes, bytes.count <= 64 << 10,
            let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains(where: \.steersTerminal)
        {
            // Not `--data`, which would treat text that starts with @ as the name of a file.
            add(option: "--data-raw", ShellWord(text))
        } else {
            add(option: "--data-binary", ShellWord("@" + (body.wholeFile ?? name)))
        }
    }

    private mutating func append(
        secret bytes: some Sequence<UInt8>, named name: String, to word: inout ShellWord
    ) {
        guard !showingSecrets else { return word.append(bytes: bytes) }
        var variable = String(
            name.uppercased().unicodeScalars.map {
                $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0)
                    ? Character($0) : "_"
            })
        if variable.first?.isNumber ?? true { variable = "_" + variable }
        let count = placeholders[variable, default: 0] + 1
        placeholders[variable] = count
        word.append(variable: count == 1 ? variable : "\(variable)_\(count)")
    }
}

/// One argument for a POSIX shell (Shell Command Language §2.2). The shell expands nothing in it
/// except the variables that were added.
private struct ShellWord {
    private enum Piece {
        case bytes([UInt8])
        case variable(String)
    }

    private var pieces: [Piece] = []

    init() {}

    init(_ text: some StringProtocol) { append(text: text) }

    mutating func append(text: some StringProtocol) { append(bytes: text.utf8) }

    mutating func append(bytes: some Sequence<UInt8>) {
        if case .bytes(let before) = pieces.last {
            pieces[pieces.count - 1] = .bytes(before + bytes)
        } else {
            pieces.append(.bytes(Array(bytes)))
        }
    }

    mutating func append(variable name: String) { pieces.append(.variable(name)) }

    var text: String {
        let word = pieces.map { piece in
            switch piece {
            case .bytes(let bytes): Self.quoted(bytes)
            case .variable(let name): "\"$\(name)\""
            }
        }.joined()
        return word.isEmpty ? "''" : word
    }

    private static func quoted(_ bytes: [UInt8]) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            // A field value may hold bytes that are not UTF-8, which a String cannot hold.
            return bytes.map { $0 < 0x80 ? quoted([$0]) : printed([$0]) }.joined()
        }
        // By scalars: a quote with a combining mark after it is another `Character`, but still a
        // quote.
        var command = ""
        var isOpen = false
        for scalar in text.unicodeScalars {
            let isPrinted = scalar.misleadsLogs && scalar != "\n" && scalar != "\t"
            if isPrinted == isOpen { command += "'" }
            isOpen = !isPrinted
            if isPrinted {
                command += printed(UTF8.encode(scalar) ?? .init())
            } else if scalar == "'" {
                command += #"'\''"#
            } else {
                command.unicodeScalars.append(scalar)
            }
        }
        return command + (isOpen ? "'" : "")
    }

    /// Returns a word that the shell makes of bytes, none of which is a line feed.
    private static func printed(_ bytes: some Sequence<UInt8>) -> String {
        "\"$(printf '"
            + bytes.map { byte in
                let digits = String(byte, radix: 8)
                return #"\"# + String(repeating: "0", count: 3 - digits.count) + digits
            }.joined() + "')\""
    }
}
