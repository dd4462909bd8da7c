import HTTPCore
import TestSupport
import Testing
@testable import HTTPCodings
import PortableFoundation

/// Contents, and their coded forms as the library of each coding makes them.
enum CodedSamples {
    /// The codings whose libraries are here. A machine that tests them has all four.
    static let codings = HTTPContentCoding.allCases.filter { $0.canDecode && $0.canEncode }

    static let text = Data(String(repeating: "All work and no play. ", count: 40).utf8)

    /// Bytes that do not compress, between some that do.
    static let mixed: Data = {
        var random = SeededRandom(43)
        var bytes = Data()
        for part in 0..<40 {
            bytes +=
                part % 2 == 0
                ? text : Data((0..<4000).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
        return bytes
    }()

    static func coded(_ bytes: Data, _ coding: HTTPContentCoding) throws -> Data {
        try ContentEncoder.encode(bytes, coding)
    }

    /// Returns what a decoder makes of a content that comes in pieces.
    static func decoded(
        _ bytes: Data, _ codings: [HTTPContentCoding], piece: Int = .max, room: Int = 64 << 10,
        limits: ContentDecoder.Limits = .init(expansion: nil, length: nil)
    ) throws(HTTPError) -> Data {
        var decoder = ContentDecoder(codings, limits: limits)
        var result = Data()
        var rest = bytes
        let space = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
        defer { unsafe space.deallocate() }
        repeat {
            let next = rest.prefix(piece)
            rest = rest.dropFirst(next.count)
            decoder.take(Data(next))
            while true {
                let count = unsafe try decoder.decode(into: space)
                if count == 0 { break }
                unsafe result.append(contentsOf: space[..<count])
            }
        } while !rest.isEmpty
        try decoder.finish()
        return result
    }
}
