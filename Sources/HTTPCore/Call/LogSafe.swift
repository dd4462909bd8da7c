extension String {
    /// This text in quotes for a one-line message. Characters that break a line, control a terminal
    /// or reorder text are escaped, and the text is cut after 80 scalars.
    package var logSafe: String {
        var text = "\""
        for (count, scalar) in unicodeScalars.enumerated() {
            if count == 80 { return text + "…\"" }
            if scalar.misleadsLogs || scalar == "\"" || scalar == "\\" {
                text += scalar.escaped(asASCII: true)
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
}
