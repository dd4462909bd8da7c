extension String {
    /// This text quoted for a one-line message: what breaks a line, steers a terminal or reorders
    /// text is escaped, and the text cut after 80 scalars.
    package var logSafe: String {
        var text = "\""
        for (count, scalar) in unicodeScalars.enumerated() {
            if count == 80 { return text + "…\"" }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                text += scalar.escaped(asASCII: true)
            case _ where scalar == "\"" || scalar == "\\":
                text += scalar.escaped(asASCII: true)
            default:
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

extension Unicode.Scalar {
    /// A control character other than those that text consists of.
    package var steersTerminal: Bool {
        properties.generalCategory == .control && self != "\n" && self != "\t" && self != "\r"
    }
}
