import PortableFoundation
import PortableLibc

/// The textual form of certificates and keys (RFC 7468).
enum PEM {
    private static let certificateLabels = [
        "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE",
    ]

    static func isCertificate(_ text: Data) -> Bool {
        let text = String(decoding: text, as: UTF8.self)
        return certificateLabels.contains { text.contains("-----BEGIN \($0)-----") }
    }

    static func isPrivateKey(_ text: Data) -> Bool {
        let text = String(decoding: text, as: UTF8.self)
        return text.contains("-----BEGIN ") && text.contains("PRIVATE KEY-----")
    }

    /// Returns the places of the certificates in a bundle, without the lines around their Base64.
    /// Returns `nil` if the bundle holds anything but certificates and text between them, such as
    /// certificates with limits on what they are trusted for.
    static func certificates(in bundle: [UInt8]) -> [Range<Int>]? {
        let dash = UInt8(ascii: "-")
        var places: [Range<Int>] = []
        var begin: Int?
        var position = 0
        // Base64 has no dash.
        while let line = index(of: dash, in: bundle, from: position) {
            let isAtStart = line == 0 || bundle[line - 1] == UInt8(ascii: "\n")
            let end = index(of: UInt8(ascii: "\n"), in: bundle, from: line) ?? bundle.count
            var text = bundle[line..<end]
            if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
            position = end
            if let start = begin {
                guard isAtStart, text.elementsEqual("-----END CERTIFICATE-----".utf8) else {
                    return nil
                }
                places.append(start..<line)
                begin = nil
            } else if text.elementsEqual("-----BEGIN CERTIFICATE-----".utf8) {
                guard isAtStart else { return nil }
                begin = end
            } else if isAtStart {
                return nil
            }
        }
        return begin == nil ? places : nil
    }

    private static func index(of byte: UInt8, in bytes: [UInt8], from start: Int) -> Int? {
        // The first responses wait for this, and `firstIndex` takes many times as long.
        unsafe bytes.withUnsafeBytes { bytes in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
            guard let base = rest.baseAddress,
                let found = unsafe memchr(base, Int32(byte), rest.count)
            else { return nil }
            return unsafe start + (UnsafeRawPointer(found) - base)
        }
    }

    /// The values of the digits of Base64 (RFC 4648 §4), 64 for any other byte.
    private static let digits: [UInt8] = {
        var digits = Array(repeating: 64 as UInt8, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, digit) in alphabet.utf8.enumerated() { digits[Int(digit)] = UInt8(value) }
        return digits
    }()

    /// Returns the first bytes of Base64 in lines, at least `count` if there are so many. Returns
    /// `nil` if they are not in Base64.
    static func decoded(_ text: ArraySlice<UInt8>, atLeast count: Int = .max) -> [UInt8]? {
        let text = text.span
        let digitTable = digits
        let digits = digitTable.span
        var bytes = Array(repeating: 0 as UInt8, count: min(count, text.count / 4 * 3) + 3)
        var output = bytes.mutableSpan
        var end = 0
        var group: UInt32 = 0
        var filled = 0
        var padding = 0
        var index = 0
        while index < text.count, end < count {
            // A group within a line.
            if filled == 0, padding == 0, index + 4 <= text.count {
                let (a, b) = (digits[Int(text[index])], digits[Int(text[index + 1])])
                let (c, d) = (digits[Int(text[index + 2])], digits[Int(text[index + 3])])
                if (a | b | c | d) < 64 {
                    output[end] = a << 2 | b >> 4
                    output[end + 1] = b << 4 | c >> 2
                    output[end + 2] = c << 6 | d
                    index += 4
                    end += 3
                    continue
                }
            }
            let digit = text[index]
            let value = digits[Int(digit)]
            index += 1
            if value < 64, padding == 0 {
                group = group << 6 | UInt32(value)
            } else if digit == UInt8(ascii: "\n") || digit == UInt8(ascii: "\r") {
                continue
            } else if digit == UInt8(ascii: "="), filled >= 2 {
                group <<= 6
                padding += 1
            } else {
                return nil
            }
            filled += 1
            guard filled == 4 else { continue }
            output[end] = UInt8(truncatingIfNeeded: group >> 16)
            output[end + 1] = UInt8(truncatingIfNeeded: group >> 8)
            output[end + 2] = UInt8(truncatingIfNeeded: group)
            end += 3 - padding
            filled = 0
        }
        guard filled == 0 else { return nil }
        bytes.removeLast(bytes.count - end)
        return bytes
    }

    /// Returns the first certificate in `text`, decoded.
    static func certificate(in text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline)
        guard
            let begin = lines.firstIndex(where: { $0.hasSuffix("-----BEGIN CERTIFICATE-----") }),
            let end = lines[begin...].firstIndex(of: "-----END CERTIFICATE-----")
        else { return nil }
        return Data(base64Encoded: lines[(begin + 1)..<end].joined()).map { Array($0) }
    }
}
