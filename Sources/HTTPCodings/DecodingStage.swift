import CHTTPCodings
import HTTPCore

/// The decoder of one coding: a stream of the library, and what may precede and follow it.
///
/// Several members of gzip (RFC 1952 §2.2) and several frames of zstd (RFC 8878 §3.1) are one
/// content. Zeros after gzip are padding, as for `gzip -d`. Anything else after the end is an
/// error, and so is an end within a stream. No bytes at all are an empty content.
// A class, since it is the only owner of the C state, and several of them are kept in an array.
@safe final class DecodingStage {
    /// The place of the input in the format.
    enum Position: Equatable {
        case beginning
        /// After the first bytes of a stream, too few to tell what it is.
        case opening([UInt8], isFirst: Bool)
        case within
        /// After a complete stream, where another one may begin.
        case between
        /// After zeros that follow a complete stream.
        case padding
        /// After a complete stream that nothing may follow.
        case ended
    }

    let coding: HTTPContentCoding
    private(set) var position = Position.beginning
    /// The number of bytes that were put out.
    private(set) var count: Int64 = 0
    /// `true` if the library may have more output for the input that it has taken.
    private(set) var hasMore = false
    private var decoder: OpaquePointer?
    /// The error that follows the bytes before it.
    private var failure: HTTPError?

    init(_ coding: HTTPContentCoding) { self.coding = coding }

    deinit { if let decoder = unsafe decoder { unsafe chttp_decoder_free(decoder) } }

    /// Decodes the beginning of `input`, removes it there, and writes the result to `output`.
    /// Returns the number of bytes written: 0 if more input is needed. Bytes before an error are
    /// written first; the error is thrown by the next call.
    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(HTTPError) -> Int {
        var written = 0
        do throws(HTTPError) {
            while failure == nil, written < output.count, unsafe !input.isEmpty || hasMore {
                written += unsafe try advance(
                    &input, UnsafeMutableRawBufferPointer(rebasing: output[written...]))
            }
        } catch {
            failure = error
        }
        guard let failure else { return written }
        hasMore = true
        if written == 0 { throw failure }
        return written
    }

    /// Checks that the input may end here.
    func finish() throws(HTTPError) {
        switch position {
        case .beginning, .between, .padding, .ended: break
        case .opening, .within:
            throw error("the content ends before its coding does (\(coding.rawValue))")
        }
    }
}

extension DecodingStage {
    /// Takes one step. Returns the number of bytes written.
    private func advance(
        _ input: inout UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) throws(HTTPError) -> Int {
        switch position {
        case .beginning: return unsafe try open(&input, after: [], isFirst: true, output)
        case .opening(let bytes, let isFirst):
            return unsafe try open(&input, after: bytes, isFirst: isFirst, output)
        case .within: return unsafe try step(&input, output)
        case .between where coding == .gzip:
            let next = unsafe input[0]
            guard next == 0 || next == 0x1F else { throw surplus }
            if next == 0 { position = .padding } else { try begin(coding.format) }
            return 0
        case .between: return unsafe try open(&input, after: [], isFirst: false, output)
        case .padding:
            let zeros = unsafe input.prefix { $0 == 0 }.count
            unsafe input = unsafe UnsafeRawBufferPointer(rebasing: input[zeros...])
            if unsafe !input.isEmpty { throw surplus }
            return 0
        case .ended: throw surplus
        }
    }

    /// Examines the first bytes of a stream, as far as they are needed to know what it is, and
    /// gives them to the library.
    private func open(
        _ input: inout UnsafeRawBufferPointer, after earlier: [UInt8], isFirst: Bool,
        _ output: UnsafeMutableRawBufferPointer
    ) throws(HTTPError) -> Int {
        let needed = openingLength - earlier.count
        let opening = unsafe earlier + input.prefix(needed)
        unsafe input = unsafe UnsafeRawBufferPointer(rebasing: input.dropFirst(needed))
        guard Self.mayOpen(opening, coding) else { throw isFirst ? broken("no frame") : surplus }
        guard opening.count == openingLength else {
            position = .opening(opening, isFirst: isFirst)
            return 0
        }
        try begin(coding == .deflate ? Self.format(opening[0], opening[1]) : coding.format)
        guard !opening.isEmpty else { return 0 }
        let (written, left) = try unsafe opening.withUnsafeBytes { bytes in
            Result { () throws(HTTPError) in
                var rest = unsafe bytes
                return (unsafe try step(&rest, output), rest.count)
            }
        }.get()
        if left > 0, failure == nil { throw surplus }
        return written
    }

    /// The number of bytes that tell what a stream is.
    private var openingLength: Int {
        switch coding {
        case .deflate: 2
        case .zstd: 4
        case .gzip, .br: 0
        }
    }

    /// Returns `false` if no frame of RFC 8878 begins so. A library may also know formats that are
    /// older than the standard, and has no limit on their windows.
    static func mayOpen(_ bytes: [UInt8], _ coding: HTTPContentCoding) -> Bool {
        guard coding == .zstd, let first = bytes.first else { return true }
        let rest: [UInt8] = first == 0x28 ? [0xB5, 0x2F, 0xFD] : [0x2A, 0x4D, 0x18]
        return (first == 0x28 || first & 0xF0 == 0x50) && rest.starts(with: bytes.dropFirst())
    }

    /// Returns the format of content that begins with these bytes. A header of zlib names the
    /// method 8 and is a multiple of 31 (RFC 1950 §2.2). Bare DEFLATE data begins so only if a
    /// stored block is padded with other bits than zeros, which no encoder writes.
    static func format(_ first: UInt8, _ second: UInt8) -> chttp_format {
        first & 0x0F == 8 && (UInt16(first) << 8 | UInt16(second)) % 31 == 0
            ? CHTTP_FORMAT_ZLIB : CHTTP_FORMAT_DEFLATE
    }

    private func begin(_ format: chttp_format) throws(HTTPError) {
        if let decoder = unsafe decoder {
            guard unsafe chttp_decoder_restart(decoder) != 0 else {
                throw broken("a further part cannot be decoded")
            }
        } else {
            guard let made = unsafe chttp_decoder_make(format) else {
                throw error("there is no memory to decode \(coding.rawValue)")
            }
            unsafe decoder = made
        }
        position = .within
    }

    private func step(
        _ input: inout UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) throws(HTTPError) -> Int {
        guard let decoder = unsafe decoder, let base = output.baseAddress else { return 0 }
        let step = unsafe chttp_decoder_step(
            decoder, input.baseAddress, input.count, base, output.count)
        unsafe input = unsafe UnsafeRawBufferPointer(rebasing: input[step.consumed...])
        count += Int64(unsafe step.produced)
        hasMore = unsafe step.produced == output.count
        switch unsafe step.status {
        case CHTTP_CODING_MORE:
            if unsafe step.consumed == 0, unsafe step.produced == 0, unsafe !input.isEmpty {
                throw broken("it does not go on")
            }
        case CHTTP_CODING_END:
            hasMore = false
            position = coding == .gzip || coding == .zstd ? .between : .ended
        default:
            failure = broken(
                unsafe step.reason.map { unsafe String(cString: $0) } ?? "damaged data")
        }
        return unsafe step.produced
    }

    private func broken(_ reason: String) -> HTTPError {
        error("the content is not valid \(coding.rawValue): \(reason)")
    }

    private var surplus: HTTPError {
        error("the content goes on after its coding has ended (\(coding.rawValue))")
    }

    private func error(_ message: String) -> HTTPError {
        HTTPError(
            .contentDecodingFailed, message, phase: .receiving, mayHaveReachedServer: true)
    }
}
