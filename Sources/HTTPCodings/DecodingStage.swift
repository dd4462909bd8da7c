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
        /// After the first byte of `deflate`, whose second one tells the format.
        case undecided(UInt8)
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
        case .undecided, .within:
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
        case .beginning: unsafe try begin(&input)
        case .undecided(let first):
            let format = Self.format(first, unsafe input[0])
            try start(format)
            // The library takes a first byte, which has no content.
            var byte = first
            return unsafe try withUnsafeBytes(of: &byte) { bytes throws(HTTPError) in
                var bytes = unsafe bytes
                return unsafe try step(&bytes, output)
            }
        case .within: return unsafe try step(&input, output)
        case .between: try beginAgain(unsafe input[0])
        case .padding:
            let zeros = unsafe input.prefix { $0 == 0 }.count
            unsafe input = unsafe UnsafeRawBufferPointer(rebasing: input[zeros...])
            if unsafe !input.isEmpty { throw surplus }
        case .ended: throw surplus
        }
        return 0
    }

    private func begin(_ input: inout UnsafeRawBufferPointer) throws(HTTPError) {
        guard coding == .deflate else { return try start(coding.format) }
        if input.count > 1 {
            unsafe try start(Self.format(input[0], input[1]))
        } else {
            position = .undecided(unsafe input[0])
            unsafe input = UnsafeRawBufferPointer(start: nil, count: 0)
        }
    }

    /// Returns the format of content that begins with these bytes. A header of zlib names the
    /// method 8 and is a multiple of 31 (RFC 1950 §2.2). Bare DEFLATE data begins so only if a
    /// stored block is padded with other bits than zeros, which no encoder writes.
    static func format(_ first: UInt8, _ second: UInt8) -> chttp_format {
        first & 0x0F == 8 && (UInt16(first) << 8 | UInt16(second)) % 31 == 0
            ? CHTTP_FORMAT_ZLIB : CHTTP_FORMAT_DEFLATE
    }

    private func start(_ format: chttp_format) throws(HTTPError) {
        guard let made = unsafe chttp_decoder_make(format) else {
            throw error("there is no memory to decode \(coding.rawValue)")
        }
        unsafe decoder = made
        position = .within
    }

    private func beginAgain(_ next: UInt8) throws(HTTPError) {
        if coding == .gzip, next == 0 {
            position = .padding
        } else if coding == .gzip, next != 0x1F {
            throw surplus
        } else {
            guard let decoder = unsafe decoder, unsafe chttp_decoder_restart(decoder) != 0 else {
                throw broken("a further part cannot be decoded")
            }
            position = .within
        }
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
