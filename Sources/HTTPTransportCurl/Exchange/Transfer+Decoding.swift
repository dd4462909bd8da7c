import CHTTPTransportCurl
import HTTPCore

extension Transfer {
    /// Refuses an interim head because of its content codings. libcurl sets up a decoder for each
    /// coding of each head, including interim ones, before it looks at the next line.
    func refuseInterimCodings() throws(HTTPError) {
        guard decoding.isAsked, collector.headers.contains(.contentEncoding),
            !ContentCodings(collector.headers).names.isEmpty
        else { return }
        throw HTTPError(
            .contentDecodingFailed,
            "an interim response names a content coding, but has no content (RFC 9110 §15.2)",
            phase: .waiting, mayHaveReachedServer: true)
    }

    /// Refuses a final head because of its content codings, before any content is decoded.
    func beginDecoding() throws(HTTPError) {
        guard collector.isCoded, decoding.isAsked, hasContent else { return }
        let codings = ContentCodings(collector.headers)
        try codings.refuseStacks()
        decoding.begin(codings.names.first)
        collector.removeCodedForm()
    }

    /// Returns the error that ends a body whose decoding holds the loop for too long.
    func decodingError(after count: Int) -> HTTPError? {
        guard decoding.isActive, let easy,
            let excess = decoding.slice.excess(
                after: count, in: loop.libraryCalls,
                coded: easy.offset(CHTTP_INFO_SIZE_DOWNLOAD), at: chttp_thread_time_ns())
        else { return nil }
        return decodingError(excess)
    }

    private func decodingError(_ excess: DecodingSlice.Excess) -> HTTPError {
        let limit =
            switch excess {
            case .time: "takes more than \(DecodingSlice.limit / 1_000_000) ms to decode"
            case .length: "decodes to more than \(DecodingSlice.ceiling >> 20) MiB"
            }
        return HTTPError(
            .contentDecodingFailed,
            "one read of the content \(limit) (\(decoding.coding ?? "identity"))",
            phase: .receiving, mayHaveReachedServer: true)
    }

    /// Stops libcurl's reading until the loop's next turn once the slice is used up. Returns `true`
    /// if the transfer can go on.
    ///
    /// Before 8.7, libcurl decodes the rest of the last read even when it is paused. It keeps the
    /// result, up to 64 MiB, and delivers it when reading resumes, in a call in which it does not
    /// read. For these versions, the read that uses up the slice is accepted to its end, so that
    /// its size is known and a decompression bomb fails at once. The next read is held.
    func holdReading() -> Bool {
        guard decoding.isActive, !flow.isHeld, !flow.isResuming, isReadToBeHeld(),
            decoding.slice.isUsedUp
        else { return true }
        flow.hold()
        loop.hold(self)
        return applyPause()
    }

    /// Returns `true` if reading is to be held. Older libraries change their count of the bytes
    /// read only when they have read.
    private func isReadToBeHeld() -> Bool {
        guard loop.library.has(.readingWhilePaused), let easy else { return true }
        let coded = easy.offset(CHTTP_INFO_SIZE_DOWNLOAD)
        defer { decoding.codedAtLastPiece = coded }
        return coded != decoding.codedAtLastPiece
    }

    /// Returns the error for a last read that decodes to more than libcurl keeps.
    func holdError(curl code: Int32) -> HTTPError? {
        flow.isHeld && code == CHTTP_E_OUT_OF_MEMORY ? decodingError(.length) : nil
    }
}

// MARK: - Limits of length and expansion

extension Transfer {
    /// The size of libcurl's buffers, in bytes. Each system call reads or writes at most that much.
    /// It is just below the size from which glibc's allocator has the system map each block.
    static let bufferSize = 127 << 10
    /// The decoded length from which expansion is checked, in bytes.
    private static let expansionFloor: Int64 = 16 << 20

    /// Returns the error for a body that is beyond a limit with the next `count` bytes, which
    /// ``decoded`` counts already.
    func bodyLimitError(adding count: Int) -> HTTPError? {
        let settings = loop.settings
        if let limit = settings.configuration.maximumBodyLength, decoded > limit {
            return HTTPError(
                .bodyTooLarge, "the body is longer than the transport's limit of \(limit) bytes",
                phase: .receiving, mayHaveReachedServer: true)
        }
        if let error = expansionError(limit: settings.configuration.maximumExpansion) {
            return error
        }
        guard let bufferLimit, buffer.count + count > bufferLimit else { return nil }
        return HTTPError.bodyTooLarge(limit: bufferLimit)
    }

    private func expansionError(limit: Int?) -> HTTPError? {
        guard decoding.isActive, decoded > Self.expansionFloor, let limit,
            let coded = easy?.offset(CHTTP_INFO_SIZE_DOWNLOAD),
            // The bytes that are being decoded now may not be counted yet: one receive buffer.
            decoded / Int64(limit) > coded + Int64(Self.bufferSize)
        else { return nil }
        return HTTPError(
            .bodyTooLarge,
            "the body becomes more than \(limit) times as long by decoding as it is on the wire",
            phase: .receiving, mayHaveReachedServer: true)
    }
}
