/// The first packet of a datagram, as far as it can be read without keys (RFC 8999).
struct QUICPacket {
    /// The length of the connection IDs that libcurl gives itself, in bytes.
    static let idLength = 20

    /// The ID of the connection to which the packet belongs, from the client's point of view.
    let connectionID: [UInt8]

    /// - Parameter bytes: The beginning of the datagram, at least ``neededLength`` bytes if it has
    ///   so many.
    init?(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return nil }
        if first & 0x80 == 0 {
            // A short header. So are the bytes of a stateless reset, which are random (RFC 9000
            // §10.3).
            guard bytes.count > Self.idLength else { return nil }
            connectionID = Array(bytes[1...Self.idLength])
        } else {
            // The version is followed by the length of the ID.
            guard bytes.count > 5, bytes.count >= 6 + Int(bytes[5]),
                Int(bytes[5]) == Self.idLength
            else { return nil }
            connectionID = Array(bytes[6..<6 + Self.idLength])
        }
    }

    /// The number of bytes that are needed to read the ID.
    static let neededLength = 6 + idLength
}
