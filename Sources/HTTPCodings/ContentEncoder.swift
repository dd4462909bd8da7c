import CHTTPCodings
package import HTTPCore
package import PortableFoundation

/// The encoder of a content. It does no I/O.
@safe package struct ContentEncoder: ~Copyable {
    private let coding: HTTPContentCoding
    private let encoder: OpaquePointer
    private var block = OutputBlock()

    /// - Throws: `unsupportedOption` if the library of the coding is not in the process and cannot
    ///   be loaded.
    package init(_ coding: HTTPContentCoding) throws(HTTPError) {
        guard let encoder = unsafe chttp_encoder_make(coding.format) else {
            throw HTTPError(
                .unsupportedOption,
                "no library in this process encodes \(coding.rawValue): install it, or use a "
                    + "coding whose canEncode is true",
                phase: .preparing)
        }
        self.coding = coding
        unsafe self.encoder = encoder
    }

    deinit { unsafe chttp_encoder_free(encoder) }

    /// Returns `bytes` in a coding.
    package static func encode(
        _ bytes: Data, _ coding: HTTPContentCoding
    ) throws(HTTPError) -> Data {
        var encoder = try ContentEncoder(coding)
        try encoder.run(CHTTP_ENCODE_FINISH, bytes)
        return encoder.block.takeAll()
    }

    /// Encodes `piece`, and returns what there is of the coded content, which may be nothing.
    ///
    /// - Parameter flushes: `true` if the result lets the other side decode the whole piece now.
    package mutating func encode(_ piece: Data, flushes: Bool) throws(HTTPError) -> Data {
        try run(flushes ? CHTTP_ENCODE_FLUSH : CHTTP_ENCODE_GO_ON, piece)
        return block.take()
    }

    /// Returns the end of the coded content.
    package mutating func finish() throws(HTTPError) -> Data {
        try run(CHTTP_ENCODE_FINISH, Data())
        return block.takeAll()
    }

    private mutating func run(_ mode: chttp_encode_mode, _ bytes: Data) throws(HTTPError) {
        block.reserve(max(4 << 10, min(bytes.count / 4, 1 << 20)))
        let failure = unsafe bytes.withUnsafeBytes { input -> HTTPError? in
            var rest = unsafe input
            while true {
                if block.count == block.capacity { block.reserve(2 * block.capacity) }
                let space = unsafe block.space
                guard let base = space.baseAddress else { return nil }
                let step = unsafe chttp_encoder_step(
                    encoder, mode, rest.baseAddress, rest.count, base, space.count)
                block.count += unsafe step.produced
                unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[step.consumed...])
                switch unsafe step.status {
                case CHTTP_CODING_END: return nil
                case CHTTP_CODING_MORE:
                    // Without a flush, the encoder keeps the rest.
                    if mode == CHTTP_ENCODE_GO_ON, unsafe rest.isEmpty,
                        unsafe step.produced < space.count
                    {
                        return nil
                    }
                default:
                    return HTTPError(
                        .requestBodyFailed, "the body cannot be encoded in \(coding.rawValue)")
                }
            }
        }
        if let failure { throw failure }
    }
}
