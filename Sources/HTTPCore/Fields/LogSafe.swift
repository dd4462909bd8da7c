extension StringProtocol {
    /// Returns this text for a log or a terminal: each character that breaks a line, controls a
    /// terminal or reorders text is replaced by its escape, such as `\u{9B}` or `\n`.
    ///
    /// These are the control characters with those from U+0080 on, of which U+009B begins a
    /// terminal's command and U+0085 a line, the separators U+2028 and U+2029, and the invisible
    /// format characters, among them the marks of direction. All other characters stay, and so do
    /// backslashes: the result is for people, not for a parser.
    ///
    /// - Parameter keepingLines: `true` to keep tabs and line ends, `\n` and `\r\n`, for text of
    ///   several lines.
    public func escapingControls(keepingLines: Bool = false) -> String {
        guard utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return String(self) }
        var text = ""
        var rest = unicodeScalars[...]
        while let scalar = rest.popFirst() {
            let isKept =
                keepingLines
                && (scalar == "\n" || scalar == "\t" || scalar == "\r" && rest.first == "\n")
            if scalar.misleadsLogs, !isKept {
                text += scalar.escapedForLog
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension String {
    /// This text in quotes for a one-line message, escaped as by `escapingControls()` and cut after
    /// 80 scalars. Quotes and backslashes are escaped, too.
    package var logSafe: String {
        var text = "\""
        for (count, scalar) in unicodeScalars.enumerated() {
            if count == 80 { return text + "…\"" }
            if scalar.misleadsLogs || scalar == "\"" || scalar == "\\" {
                text += scalar.escapedForLog
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

extension Unicode.Scalar {
    /// `true` for a character that breaks a line, controls a terminal or reorders text.
    package var misleadsLogs: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// `true` for a control character other than tab and line breaks.
    package var steersTerminal: Bool {
        properties.generalCategory == .control && self != "\n" && self != "\t" && self != "\r"
    }

    /// The character in a JSON string (RFC 8259 §7): itself, or its escape if it is a quote, a
    /// backslash or ``misleadsLogs``.
    package var inJSONString: String {
        switch self {
        case "\"", "\\", "\n", "\r", "\t": escaped(asASCII: true)
        case _ where misleadsLogs:
            (UTF16.encode(self) ?? .init()).map { unit in
                #"\u"# + String(UInt32(unit) + 0x10000, radix: 16).dropFirst()
            }.joined()
        default: String(self)
        }
    }

    /// `\n`, `\u{9B}`
    fileprivate var escapedForLog: String {
        switch self {
        case "\n", "\r", "\t", "\0", "\"", "\\": escaped(asASCII: true)
        default: "\\u{\(String(value, radix: 16, uppercase: true))}"
        }
    }
}
