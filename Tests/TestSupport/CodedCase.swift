package import HTTPCodings
package import HTTPTesting
import PortableFoundation

/// A coded content, whole or broken in one way, and what a client may make of it.
package struct CodedCase: Sendable, CustomStringConvertible {
    package let name: String
    package let coding: HTTPContentCoding
    package let bytes: [UInt8]
    /// `false` if the content is broken, so that nothing may take it as complete.
    package let isWhole: Bool
    /// `true` if the bytes come one at a time.
    package var isDripped = false

    package var description: String { "\(name) (\(coding.rawValue))" }

    /// The content of all of these cases, as lines.
    package static let text = (0..<40).map { "All work and no play, \($0 * 7919).\n" }.joined()

    /// The cases of a coding.
    package static func all(_ coding: HTTPContentCoding) throws -> [CodedCase] {
        let bytes = Array(try ContentEncoder.encode(Data(text.utf8), coding))
        func whole(_ name: String, _ bytes: [UInt8]) -> CodedCase {
            CodedCase(name: name, coding: coding, bytes: bytes, isWhole: true)
        }
        func broken(_ name: String, _ bytes: [UInt8]) -> CodedCase {
            CodedCase(name: name, coding: coding, bytes: bytes, isWhole: false)
        }
        func flipped(_ fromEnd: Int) -> [UInt8] {
            var copy = bytes
            copy[bytes.count - fromEnd] ^= 0x55
            return copy
        }
        var dripped = whole("one byte at a time", bytes)
        dripped.isDripped = true
        var cases = [whole("whole", bytes), dripped]
        cases += (1...64).map { broken("\($0) bytes are missing", bytes.dropLast($0)) }
        let half = text.utf8.count / 2
        let parts = [text.utf8.prefix(half), text.utf8.dropFirst(half)]
        let several = try parts.flatMap { try ContentEncoder.encode(Data($0), coding) }
        cases.append(
            coding == .gzip || coding == .zstd
                ? whole("two parts", several) : broken("two parts", several))
        cases.append(broken("more follows", bytes + Array("more".utf8)))
        let padded = bytes + [UInt8](repeating: 0, count: 512)
        cases.append(coding == .gzip ? whole("zeros", padded) : broken("zeros", padded))
        switch coding {
        case .gzip:
            cases += [broken("wrong sum", flipped(5)), broken("wrong length", flipped(1))]
        case .deflate:
            cases += [
                broken("wrong sum", flipped(1)), whole("bare", bytes.dropFirst(2).dropLast(4)),
                broken("dictionary", [0x78, 0xBB, 1, 2, 3, 4] + bytes.dropFirst(2)),
            ]
        case .zstd:
            cases += [
                broken("wrong sum", flipped(1)),
                broken("dictionary", [0x28, 0xB5, 0x2F, 0xFD, 1, 0, 42, 9, 0, 0, 65]),
                broken("wide window", [0x28, 0xB5, 0x2F, 0xFD, 0, 15 << 3, 9, 0, 0, 65]),
            ]
        case .br: cases.append(broken("wide window", [0x11] + bytes))
        }
        return cases
    }

    /// Returns the response to send.
    package func response(_ framing: LoopbackResponse.Framing) -> LoopbackResponse {
        LoopbackResponse(
            fields: [
                ("Content-Encoding", coding.rawValue), ("Content-Type", "text/plain"),
                ("Cache-Control", "max-age=600"), ("ETag", "\"1\""),
            ],
            content: isDripped
                ? .pieces(bytes.map { [$0] }, every: .microseconds(10)) : .bytes(bytes),
            framing: framing)
    }
}
