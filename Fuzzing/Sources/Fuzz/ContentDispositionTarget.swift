import FoundationEssentials
import HTTPCore
import HTTPFormats

extension FuzzTarget {
    /// The input is the value of a field, followed by a file name.
    static let contentDisposition = Self("content-disposition") { bytes in
        let text = bytes.text
        if let disposition = ContentDisposition(text) {
            requireRoundTrip(disposition, \.description) { ContentDisposition($0) }
            for parameter in disposition.parameters {
                require(disposition[parameter.name] != nil || parameter.isUndecodable, "not found")
            }
            checkSafeFileName(of: disposition)
        }
        let disposition = ContentDisposition.attachment(fileName: text)
        checkSafeFileName(of: disposition)
        let isSendable = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        guard isSendable else { return }
        guard let read = ContentDisposition(disposition.description) else {
            fatalError("broken: \(disposition) cannot be read")
        }
        requireSame(read.fileName ?? "<none>", text, "a file name changes on the wire")
    }

    private static func checkSafeFileName(of disposition: ContentDisposition) {
        guard let name = disposition.safeFileName else { return }
        let law = "\(name.debugDescription) is no safe file name"
        require((1...255).contains(name.utf8.count), law)
        require(
            !name.utf8.contains { $0 < 0x20 || $0 == 0x7F || "/\\<>:\"|?*".utf8.contains($0) }, law)
        require(!(name.utf8.first.map(". ".utf8.contains) ?? true), law)
        require(!(name.utf8.last.map(". ".utf8.contains) ?? true), law)
        let stem = name.utf8.prefix { $0 != UInt8(ascii: ".") }
        require(!["CON", "NUL", "COM1", "LPT9"].contains(String(stem)?.uppercased()), law)
        guard name.utf8.count < 255 else { return }  // including the `_` before a device name
        let again = ContentDisposition.attachment(fileName: name).safeFileName
        requireSame(again ?? "<none>", name, "a safe file name is not safe")
    }
}
