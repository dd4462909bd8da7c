import HTTPCodings
import HTTPCore
import HTTPHashing
import PortableFoundation

/// One call of `download`: sends requests until the file is complete or the call fails.
struct DownloadRun: Sendable {
    private var session: any HTTPSession
    private(set) var request: HTTPRequest
    let file: PartialFile
    let options: HTTPDownloadOptions
    let report: (@Sendable (HTTPTransferProgress) -> Void)?

    private var record: PartRecord?
    /// The decoded content of a part that has arrived.
    private var decoded: DecodedFile?
    private var meter = TransferMeter(.download)
    private var resumptions = 0
    private var hasWritten = false
    private var hasResponded = false
    /// `false` once the file has turned out to be another one than expected. From then on, one
    /// request brings all of it: with a server whose responses do not agree, the call still ends.
    private var mayLoadRanges = true

    init(
        _ session: any HTTPSession, _ request: HTTPRequest, into file: PartialFile,
        from record: PartRecord?, _ options: HTTPDownloadOptions,
        report: (@Sendable (HTTPTransferProgress) -> Void)?
    ) {
        self.session = session
        self.request = request
        self.file = file
        self.record = record
        self.options = options
        self.report = report
    }

    /// - Throws: `invalidRequest`; `fileBusy`; `fileNotWritten`.
    init(
        _ session: any HTTPSession, _ request: HTTPRequest, to path: String,
        _ options: HTTPDownloadOptions, report: (@Sendable (HTTPTransferProgress) -> Void)?
    ) throws(HTTPError) {
        try options.check(request)
        let file = try PartialFile(for: path)
        let record = options.startsOver ? nil : file.names.readRecord()
        self.init(session, request, into: file, from: record, options, report: report)
    }

    /// Loads all missing bytes and continues a part that an earlier attempt left. ``finish(_:)``
    /// then gives the file its name.
    mutating func arrive(
        _ request: HTTPRequest, through session: any HTTPSession
    ) async throws -> HTTPDownload {
        try options.check(request)
        (self.session, self.request) = (session, request)
        resumptions = 0
        return try await arrive()
    }

    /// Loads all missing bytes in the first attempt. See ``arrive(_:through:)``.
    mutating func arrive() async throws -> HTTPDownload {
        do {
            return try await load()
        } catch {
            let error = completed(error)
            // One of the requests has had a response, whatever became of the last one.
            throw hasResponded ? error.afterResponse : error
        }
    }

    /// Returns the same error with its request, and with the first bytes of the file if it is about
    /// a body that was to be the file.
    private func completed(_ error: any Error) -> any Error {
        guard let error = error as? HTTPError else { return error }
        let isOfFile = error.response?.status.isSuccessful == true
        return (isOfFile ? error.beginning(file.beginning(record)) : error).naming(request)
    }

    private mutating func load() async throws -> HTTPDownload {
        decoded = nil
        var part = try file.storedPart(of: request, record)
        var replacement: HTTPResponse?
        if let missing = try file.missingRanges(
            of: request, record, shortest: options.shortestRange)
        {
            try checkLimit(missing.length)
            _ = try codings(of: record?.coding)
            if !hasWritten { meter.resumedOffset = missing.arrivedBytes }
            switch try await load(missing) {
            case .complete(let head): return try await arrived(head, at: missing.length)
            case .startOver: try giveUpPart()
            case .replaced(let response): replacement = response
            }
        }
        while true {
            let response: HTTPResponse
            if let whole = replacement {
                (response, part, replacement) = (whole, nil, nil)
            } else {
                response = try await self.response(continuing: part)
            }
            let length = response.body.length
            let isDecoded = response.isDecodedUnasked
            switch DownloadPlan(
                response.head, contentLength: length, to: part, isDecoded: isDecoded)
            {
            case .write(let offset, let end, let length):
                try checkCoding(response)
                try checkLimit(max(length ?? 0, end ?? 0), response)
                let missing = missingRanges(after: offset, until: end, of: length, response.head)
                try begin(response, offset: offset, length: length, missing)
                if let missing {
                    let stream = RangedDownload.Stream(
                        response: response, offset: offset, end: missing.length)
                    switch try await load(missing, stream) {
                    case .complete(let head): return try await arrived(head, at: missing.length)
                    case .startOver:
                        try giveUpPart()
                        part = nil
                    case .replaced(let response): replacement = response
                    }
                    continue
                }
                do {
                    let size = try await write(response, offset: offset, end: end, length: length)
                    if size == length || length == nil && offset == 0 {
                        return try await arrived(response.head, at: size)
                    }
                    part = try file.storedPart(of: request, record)
                    if size - offset < MissingRanges.shortRange || part == nil {
                        throw HTTPError.incomplete(response.head, size, length)
                    }
                } catch let error as HTTPError {
                    let error = error.writing(response)
                    // Offsets in decoded bytes are none of a range.
                    part = try await resuming(
                        after: isDecoded
                            ? error.noting(
                                "the download cannot be continued, since the transport has decoded "
                                    + "its content") : error)
                }
            case .finish(let size):
                try checkLimit(size, response)
                await response.discard()
                try file.truncate(to: size)
                if !hasWritten { meter.resumedOffset = size }
                return try await arrived(response.head, at: size)
            case .startOver:
                await response.discard()
                try giveUpPart()
                mayLoadRanges = false
                part = nil
            case .refuse(let reason):
                response.body.abandon()
                if part != nil { try giveUpPart() }
                throw HTTPError.refused(reason, response.head).ending(request)
            case .unexpected: throw await HTTPError.unexpected(response)
            }
        }
    }

    // MARK: Requesting

    private mutating func response(continuing part: StoredPart?) async throws -> HTTPResponse {
        while true {
            do {
                if options.renewsRetries { request.currentCall.renewRetries() }
                let response = try await session.response(for: request, continuing: part)
                hasResponded = true
                return response
            } catch let error as HTTPError {
                // The first request resumes nothing: sending it again is the task of layers below.
                guard resumptions > 0 else { throw error }
                _ = try await resuming(after: error)
            }
        }
    }

    /// Waits, and returns the part to continue.
    ///
    /// - Throws: `error` if continuing would not help, or has been tried often enough.
    private mutating func resuming(after error: HTTPError) async throws -> StoredPart {
        if error.code == .digestMismatch {
            // A layer below found that the bytes written are wrong. A later call must not continue
            // with them.
            throw try givingUpPart(for: error)
        }
        guard error.isRetryable, error.timer?.name != .deadline,
            // A status is the answer of a server that could be asked.
            error.code != .unexpectedStatus, resumptions < options.maxResumptions,
            let part = try file.storedPart(of: request, record)
        else { throw error }
        let wait = options.backoff.delay(beforeRetry: resumptions)
        resumptions += 1
        try await request.wait(wait, over: session)
        return part
    }

    // MARK: Writing

    /// Gives up a file that is longer than the limit of the request's delivery.
    private mutating func checkLimit(_ length: Int64, _ response: HTTPResponse) throws {
        guard case .buffered(let limit) = request.delivery, length > limit else { return }
        response.body.abandon()
        throw try givingUpPart(
            for: HTTPError.bodyTooLarge(limit: limit).ending(response, head: response.head))
    }

    /// Gives up a part of a file that is known to be longer than that limit.
    private mutating func checkLimit(_ length: Int64) throws {
        guard case .buffered(let limit) = request.delivery, length > limit else { return }
        try giveUpPart()
        throw HTTPError.bodyTooLarge(limit: limit).ending(request)
    }

    /// Gives up the part, and returns the same error with its first bytes.
    private mutating func givingUpPart(for error: HTTPError) throws -> HTTPError {
        let error = error.beginning(file.beginning(record))
        try giveUpPart()
        return error
    }

    mutating func giveUpPart() throws {
        record = nil
        decoded = nil
        try file.removeRecord()
        try file.truncate(to: 0)
    }

    /// Prepares the file for the bytes of a response.
    ///
    /// - Parameter missing: The ranges to load beside this response, if there are any.
    private mutating func begin(
        _ response: HTTPResponse, offset: Int64, length: Int64?, _ missing: MissingRanges?
    ) throws {
        do {
            if offset == 0 {
                // This order makes sure that a record never describes a part that does not exist.
                try giveUpPart()
                if !response.isDecodedUnasked {
                    record = PartRecord(response.head, to: request, length: length)
                }
                meter.resumedOffset = nil
            } else {
                try file.truncate(to: offset)
                record?.goOn(from: offset, of: length)
                if !hasWritten { meter.resumedOffset = offset }
            }
            hasWritten = true
            guard missing == nil, let record else { return }
            try file.write(record)
        } catch {
            response.body.abandon()
            throw error
        }
    }

    /// Writes the body, and returns the size of the file afterwards.
    private mutating func write(
        _ response: HTTPResponse, offset: Int64, end: Int64?, length: Int64?
    ) async throws -> Int64 {
        tell(meter.advance(to: offset, of: length))

        var size = offset
        var nextCheckpoint = size + options.checkpoint
        for try await piece in response.body {
            guard size + Int64(piece.count) <= end ?? .max else {
                throw try givingUpPart(for: .tooManyBytes(response.head))
            }
            try checkLimit(size + Int64(piece.count), response)
            try piece.write(toDescriptor: file.descriptor, at: size)
            size += Int64(piece.count)
            if size >= nextCheckpoint {
                try keepForGood(size)
                nextCheckpoint = size + options.checkpoint
            }
            tell(meter.advance(to: size, of: length))
        }
        guard size == end ?? size else { throw HTTPError.incomplete(response.head, size, end) }
        return size
    }

    private mutating func keepForGood(_ size: Int64) throws {
        guard record != nil else { return }
        try file.sync()
        record?.durable = size
        if let record { try file.write(record) }
    }

    // MARK: Ranges

    /// Returns the gaps to load beside a response; `nil` if the response alone is to bring the rest
    /// of the file.
    private func missingRanges(
        after offset: Int64, until end: Int64?, of length: Int64?, _ head: HTTPResponse.Head
    ) -> MissingRanges? {
        guard options.maxConcurrentRanges > 1, mayLoadRanges, let length, end == length,
            length - offset >= 2 * options.shortestRange
        else { return nil }
        // A 206 proves that the server supports ranges.
        if head.status != .partialContent {
            guard head.headers.acceptRanges.contains("bytes"),
                PartRecord(head, to: request, length: length) != nil
            else { return nil }
        }
        let arrived = offset > 0 ? [0..<offset] : []
        return MissingRanges(of: length, arrived: arrived, shortest: options.shortestRange)
    }

    private mutating func load(
        _ missing: MissingRanges, _ first: RangedDownload.Stream? = nil
    ) async throws -> RangedDownload.End {
        guard var record, let condition = record.condition(of: request) else {
            throw HTTPError(.internalFailure, "the part of a download has no record")
        }
        do {
            record.goOn(beside: missing.arrived, of: missing.length)
            self.record = record
            // Before the first byte beyond a gap, whose part would look like a longer beginning.
            try file.write(record)
        } catch {
            first?.response.body.abandon()
            throw error
        }
        let ranges = RangedDownload(
            missing, of: request, condition, through: session, into: file, options,
            at: RangedDownload.Position(record: record, meter: meter, resumptions: resumptions),
            report: report)
        let result: Result<RangedDownload.End, any Error>
        do { result = .success(try await ranges.run(first)) } catch { result = .failure(error) }
        let position = ranges.position
        (self.record, meter, resumptions) = (position.record, position.meter, position.resumptions)
        hasWritten = true
        hasResponded = true
        do {
            let end = try result.get()
            if case .complete = end {} else { mayLoadRanges = false }
            return end
        } catch let contradiction as RangedDownload.Contradiction {
            throw try givingUpPart(for: contradiction.error)
        }
    }

    private func tell(_ progress: HTTPTransferProgress?) {
        if let report, let progress { report(progress) }
    }

    // MARK: Finishing

    /// Returns the codings to decode; none if the file stays in its coding.
    ///
    /// - Throws: `contentDecodingFailed` if there are too many.
    private func codings(
        of coding: String?, _ head: HTTPResponse.Head? = nil
    ) throws(HTTPError) -> [HTTPContentCoding] {
        guard options.decoding == .automatic, let coding else { return [] }
        do {
            return try HTTPContentCoding.codings(of: [.contentEncoding: coding])
        } catch {
            throw error.ending(request, response: head)
        }
    }

    /// Refuses a response whose content cannot be the file that is wanted, before it is loaded.
    private func checkCoding(_ response: HTTPResponse) throws(HTTPError) {
        do throws(HTTPError) {
            _ = try codings(of: response.headers.contentCoding, response.head)
            guard options.decoding == .automatic || !response.isDecodedUnasked else {
                throw HTTPError(
                    .unsupportedOption,
                    "the transport decodes content by itself, so that the file cannot stay in its "
                        + "coding: use another transport, or automatic decoding",
                    mayHaveReachedServer: true, response: response.head
                ).ending(request)
            }
        } catch {
            response.body.abandon()
            throw error
        }
    }

    /// Decodes the part into a file beside it. Returns the length of the content.
    private mutating func decode(
        _ codings: [HTTPContentCoding], _ head: HTTPResponse.Head
    ) async throws -> Int64 {
        var limit: Int?
        if case .buffered(let count) = request.delivery { limit = count }
        let content = try DecodedFile(of: file)
        do {
            let length = try await content.fill(codings, upTo: limit)
            decoded = content
            return length
        } catch let error as HTTPError where error.code != .fileNotWritten {
            throw try givingUpPart(
                for: error.keeping(bodyPrefix: content.beginning).ending(request, response: head))
        }
    }

    private mutating func arrived(
        _ head: HTTPResponse.Head, at size: Int64
    ) async throws -> HTTPDownload {
        var head = head
        var length = size
        // A 416 has the fields of an error page.
        let isOfPage = head.status == .rangeNotSatisfiable
        var coding = isOfPage ? record?.coding : head.headers.contentCoding
        if isOfPage { head.headers[.contentEncoding] = coding }
        let codings = try codings(of: coding, head)
        if !codings.isEmpty {
            length = try await decode(codings, head)
            coding = nil
            head.headers.remove(.contentEncoding)
            head.headers.remove(.contentLength)
        }
        if let expected = options.sha256 {
            let found = try await file.sha256(of: decoded).hexadecimal
            guard found == expected.lowercased() else {
                let error = HTTPError(
                    .digestMismatch,
                    "the file's SHA-256 is \(found), not the expected one: it has been removed",
                    mayHaveReachedServer: true, response: head,
                    body: decoded?.beginning ?? file.beginning(record)
                ).ending(request)
                try file.discard()
                throw error
            }
        }
        return HTTPDownload(
            path: decoded == nil ? file.names.part : file.names.decoded, length: length,
            contentCoding: coding, response: head, resumedOffset: meter.resumedOffset,
            resumptions: resumptions, receivedLength: size)
    }

    /// Gives the complete file its name.
    mutating func finish(_ arrived: HTTPDownload) throws(HTTPError) -> HTTPDownload {
        try file.finish(decoded)
        tell(meter.finish(at: arrived.receivedLength))
        var download = arrived
        download.path = file.names.whole
        return download
    }

    /// Ends a call that failed. An empty part is removed.
    func leave() {
        if let size = try? file.size, size == 0 { try? file.discard() }
    }
}
