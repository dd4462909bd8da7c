import HTTPCore
private import PortableFoundation

/// A writer of structured fields in their canonical form (RFC 9651 §4.1).
struct StructuredFieldWriter {
    private(set) var text = ""

    mutating func write(_ members: [StructuredField.Member]) {
        for (count, member) in members.enumerated() {
            if count > 0 { text += ", " }
            write(member)
        }
    }

    mutating func write(_ members: StructuredFieldEntries<StructuredField.Member>) {
        for (count, entry) in members.all.enumerated() {
            if count > 0 { text += ", " }
            text += entry.name
            if case .item(let item) = entry.value, item.value == .boolean(true) {
                write(item.parameters)
            } else {
                text += "="
                write(entry.value)
            }
        }
    }

    private mutating func write(_ member: StructuredField.Member) {
        switch member {
        case .item(let item): write(item)
        case .innerList(let list):
            text += "("
            for (count, item) in list.items.enumerated() {
                if count > 0 { text += " " }
                write(item)
            }
            text += ")"
            write(list.parameters)
        }
    }

    mutating func write(_ item: StructuredField.Item) {
        write(item.value)
        write(item.parameters)
    }

    private mutating func write(_ parameters: StructuredField.Parameters) {
        for (name, value) in parameters {
            text += ";\(name)"
            if value != .boolean(true) {
                text += "="
                write(value)
            }
        }
    }

    private mutating func write(_ value: StructuredField.BareItem) {
        switch value {
        case .integer(let integer): text += integer.description
        case .decimal(let decimal): text += decimal.description
        case .token(let token): text += token.text
        case .boolean(let flag): text += flag ? "?1" : "?0"
        case .date(let seconds): text += "@\(seconds)"
        case .byteSequence(let bytes): text += ":\(bytes.base64EncodedString()):"
        case .string(let string):
            text += "\""
            for scalar in string.text.unicodeScalars {
                if scalar == "\"" || scalar == "\\" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
            text += "\""
        case .displayString(let string):
            text += "%\""
            for byte in string.utf8 {
                if byte.isPrintableASCII, byte != UInt8(ascii: "%"), byte != UInt8(ascii: "\"") {
                    text.unicodeScalars.append(Unicode.Scalar(byte))
                } else {
                    text += "%"
                    text += byte < 0x10 ? "0" : ""
                    text += String(byte, radix: 16)
                }
            }
            text += "\""
        }
    }
}
