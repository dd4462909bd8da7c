package import HTTPCodings
package import HTTPCore
package import PortableFoundation

extension ContentDecoder {
    /// Returns `bytes` without their codings.
    ///
    /// - Throws: `contentDecodingFailed`.
    package static func decode(
        _ bytes: Data, _ codings: [HTTPContentCoding]
    ) throws(HTTPError) -> Data {
        guard !codings.isEmpty else { return bytes }
        var decoder = ContentDecoder(codings, limits: Limits(expansion: nil, length: nil))
        var block = OutputBlock()
        decoder.take(bytes)
        while true {
            block.reserve(max(4 << 10, block.count == block.capacity ? 2 * block.capacity : 0))
            let count = unsafe try decoder.decode(into: block.space)
            if count == 0 { break }
            block.count += count
        }
        try decoder.finish()
        return block.takeAll()
    }
}
