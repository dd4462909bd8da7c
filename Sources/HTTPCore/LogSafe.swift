extension String {
    /// This text quoted for a one-line message: control characters escaped, cut after 80 characters.
    package var logSafe: String {
        var text = "\""
        for (count, scalar) in unicodeScalars.enumerated() {
            if count == 80 { return text + "…\"" }
            if scalar.value < 0x20 || scalar.value == 0x7F || scalar == "\"" || scalar == "\\" {
                text += scalar.escaped(asASCII: true)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
