import FoundationEssentials
import Glibc
import HTTPCodings
import HTTPCore

/// The decoder of each content coding, beside the function of its library that decodes all at once.
///
/// The first byte of an input is the size of the pieces, the second that of the room for output.
extension FuzzTarget {
    static let deflate = FuzzTarget("deflate") { bytes in
        guard let (content, result) = decode(bytes, .deflate) else { return }
        // Without the frame of zlib, there is no such function.
        let isFramed =
            content.count > 1 && content[0] & 0x0F == 8
            && (Int(content[0]) << 8 | Int(content[1])) % 31 == 0
        guard isFramed else { return }
        requireAgreement(result, OneShot.zlib.decoded(content), "deflate")
    }

    static let gzip = FuzzTarget("gzip") { bytes in
        guard let (content, result) = decode(bytes, .gzip) else { return }
        requireAgreement(result, OneShot.members(of: content), "gzip")
    }

    static let br = FuzzTarget("br") { bytes in
        guard let (content, result) = decode(bytes, .br) else { return }
        let whole = OneShot.brotli.decoded(content)
        // The function does not say whether bytes follow the end.
        if case .success(let data) = result {
            require(content.isEmpty ? data.isEmpty : whole == data, "br is decoded in two ways")
        }
    }

    static let zstd = FuzzTarget("zstd") { bytes in
        guard let (content, result) = decode(bytes, .zstd) else { return }
        let whole = OneShot.zstd.decoded(content)
        switch result {
        case .success(let data): require(whole ?? Data() == data, "zstd is decoded in two ways")
        case .failure(let error):
            // The function has no limit on the window.
            require(
                whole == nil || error.message.contains("memory"),
                "zstd is refused: \(error.message)")
        }
    }

    /// Decodes an input in its pieces, and checks what holds for all codings. Returns `nil` if the
    /// content is longer than the limit.
    private static func decode(
        _ bytes: Data, _ coding: HTTPContentCoding
    ) -> (content: Data, result: Result<Data, HTTPError>)? {
        guard bytes.count >= 2 else { return nil }
        let sizes = (piece: Int(bytes[0]) + 1, room: Int(bytes[1]) * 8 + 1)
        let content = Data(bytes.dropFirst(2))
        let result = inPieces(content, coding, sizes.piece, room: sizes.room)
        if case .failure(let error) = result, error.code == .bodyTooLarge { return nil }
        let atOnce = inPieces(content, coding, max(1, content.count), room: OneShot.limit + 1)
        require(
            (try? result.get()) == (try? atOnce.get()), "\(coding) depends on how it is divided")
        // Whatever the input is, it can be encoded.
        let coded = try? ContentEncoder.encode(content, coding)
        let again = coded.flatMap { coded in
            try? inPieces(coded, coding, sizes.piece, room: sizes.room).get()
        }
        require(again == content, "\(coding) does not decode what was encoded")
        return (content, result)
    }

    private static func inPieces(
        _ content: Data, _ coding: HTTPContentCoding, _ size: Int, room: Int
    ) -> Result<Data, HTTPError> {
        let limits = ContentDecoder.Limits(expansion: nil, length: Int64(OneShot.limit))
        var decoder = ContentDecoder([coding], limits: limits)
        var result = Data()
        let space = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
        defer { unsafe space.deallocate() }
        return Result { () throws(HTTPError) in
            for start in stride(from: 0, to: content.count, by: size) {
                decoder.take(Data(content[start..<min(start + size, content.count)]))
                while true {
                    let count = unsafe try decoder.decode(into: space)
                    if count == 0 { break }
                    unsafe result.append(contentsOf: space[..<count])
                }
            }
            try decoder.finish()
            return result
        }
    }

    private static func requireAgreement(
        _ result: Result<Data, HTTPError>, _ whole: Data?, _ coding: String
    ) {
        switch result {
        case .success(let data):
            require(whole == data, "\(coding) is decoded in two ways")
        case .failure(let error):
            require(whole == nil, "\(coding) is refused: \(error.message)")
        }
    }
}

/// The functions of the libraries that decode content at once.
private enum OneShot {
    /// The most bytes that a target looks at after decoding.
    static let limit = 1 << 20

    struct Library: Sendable {
        let name: String
        let symbol: String

        var address: UnsafeMutableRawPointer {
            guard let library = unsafe dlopen(name, RTLD_NOW),
                let address = unsafe dlsym(library, symbol)
            else { fatalError("\(name) has no \(symbol)") }
            return unsafe address
        }
    }

    struct Function: Sendable {
        let decoded: @Sendable (Data) -> Data?

        func decoded(_ content: Data) -> Data? { decoded(content) }
    }

    typealias Uncompress =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt>, UnsafeRawPointer?,
            UnsafeMutablePointer<UInt>
        ) -> CInt
    typealias Brotli =
        @convention(c) (
            Int, UnsafeRawPointer?, UnsafeMutablePointer<Int>, UnsafeMutableRawPointer?
        ) -> CInt
    typealias Zstd =
        @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeRawPointer?, Int) -> Int
    typealias IsError = @convention(c) (Int) -> CUnsignedInt

    static let zlib = Function { content in
        let function = unsafe unsafeBitCast(
            Library(name: "libz.so.1", symbol: "uncompress2").address, to: Uncompress.self)
        var count = UInt(limit)
        var taken = UInt(content.count)
        let (code, result) = unsafe output { space in
            unsafe content.withUnsafeBytes {
                unsafe function(space, &count, $0.baseAddress, &taken)
            }
        }
        return code == 0 && Int(taken) == content.count ? Data(result.prefix(Int(count))) : nil
    }

    static let brotli = Function { content in
        let function = unsafe unsafeBitCast(
            Library(name: "libbrotlidec.so.1", symbol: "BrotliDecoderDecompress").address,
            to: Brotli.self)
        var count = limit
        let (code, result) = unsafe output { space in
            unsafe content.withUnsafeBytes {
                unsafe function($0.count, $0.baseAddress, &count, space)
            }
        }
        return code == 1 ? Data(result.prefix(count)) : nil
    }

    static let zstd = Function { content in
        let function = unsafe unsafeBitCast(
            Library(name: "libzstd.so.1", symbol: "ZSTD_decompress").address, to: Zstd.self)
        let isError = unsafe unsafeBitCast(
            Library(name: "libzstd.so.1", symbol: "ZSTD_isError").address, to: IsError.self)
        let (count, result) = unsafe output { space in
            unsafe content.withUnsafeBytes {
                unsafe function(space, limit, $0.baseAddress, $0.count)
            }
        }
        return isError(count) == 0 ? Data(result.prefix(count)) : nil
    }

    typealias InflateInit =
        @convention(c) (UnsafeMutableRawPointer, CInt, UnsafePointer<CChar>, CInt) -> CInt
    typealias Inflate = @convention(c) (UnsafeMutableRawPointer, CInt) -> CInt
    typealias InflateEnd = @convention(c) (UnsafeMutableRawPointer) -> CInt

    /// Decodes the members of gzip one after the other, each in one call with all of its bytes
    /// (`Z_FINISH`). zlib has no simpler function for gzip.
    static func members(of content: Data) -> Data? {
        var result = Data()
        var rest = content
        while !rest.isEmpty {
            // Zeros after a member are padding.
            if rest.count < content.count, rest.allSatisfy({ $0 == 0 }) { return result }
            guard let (data, count) = member(Data(rest)) else { return nil }
            result += data
            rest = rest.dropFirst(count)
        }
        return result
    }

    private static func member(_ content: Data) -> (Data, count: Int)? {
        func function(_ name: String) -> UnsafeMutableRawPointer {
            unsafe Library(name: "libz.so.1", symbol: name).address
        }
        let begin = unsafe unsafeBitCast(function("inflateInit2_"), to: InflateInit.self)
        let inflate = unsafe unsafeBitCast(function("inflate"), to: Inflate.self)
        let end = unsafe unsafeBitCast(function("inflateEnd"), to: InflateEnd.self)
        // A z_stream: 112 bytes on machines of 64 bits.
        let stream = UnsafeMutableRawPointer.allocate(byteCount: 112, alignment: 16)
        defer { unsafe stream.deallocate() }
        unsafe stream.initializeMemory(as: UInt8.self, repeating: 0, count: 112)
        guard unsafe begin(stream, 15 + 16, "1", 112) == 0 else { return nil }
        defer { _ = unsafe end(stream) }
        let (code, result) = unsafe output { space in
            unsafe content.withUnsafeBytes { bytes in
                unsafe stream.storeBytes(of: bytes.baseAddress, as: UnsafeRawPointer?.self)
                unsafe stream.storeBytes(of: UInt32(bytes.count), toByteOffset: 8, as: UInt32.self)
                unsafe stream.storeBytes(
                    of: space, toByteOffset: 24, as: UnsafeMutableRawPointer?.self)
                unsafe stream.storeBytes(of: UInt32(limit), toByteOffset: 32, as: UInt32.self)
                return unsafe inflate(stream, 4)
            }
        }
        guard code == 1 else { return nil }
        let left = unsafe stream.load(fromByteOffset: 8, as: UInt32.self)
        let room = unsafe stream.load(fromByteOffset: 32, as: UInt32.self)
        return (Data(result.prefix(limit - Int(room))), content.count - Int(left))
    }

    private static func output<Result>(
        _ body: (UnsafeMutableRawPointer?) -> Result
    ) -> (Result, Data) {
        var space = Data(count: limit)
        let result = unsafe space.withUnsafeMutableBytes { unsafe body($0.baseAddress) }
        return (result, space)
    }
}
