import HTTPCore
import HTTPValidation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One call of `download`: sends requests until the file is complete or the call fails.
struct DownloadRun: Sendable {
    private var session: any HTTPSession
    private var request: HTTPRequest
    let file: PartialFile
    let options: HTTPDownloadOptions
    let report: (@Sendable (HTTPTransferProgress) -> Void)?

    private var record: PartRecord?
    private var meter = TransferMeter(.download)
    private var resumptions = 0
    private var hasWritten = false

    /// The number of bytes that a crash of the system may lose.
    private static let checkpoint: Int64 = 64 << 20
    /// The fewest bytes that a range must bring. A server may send less than was requested, but
    /// must not make the client load a file byte by byte.
    private static let shortRange: Int64 = 64 << 10

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
        try Self.check(request, options)
        let file = try PartialFile(for: path)
        let record = options.startsOver ? nil : file.names.readRecord()
        self.init(session, request, into: file, from: record, options, report: report)
    }

    /// Loads all missing bytes and continues a part that an earlier attempt left. ``finish(_:)``
    /// then gives the file its name.
    mutating func arrive(
        _ request: HTTPRequest, through session: any HTTPSession
    ) async throws -> HTTPDownload {
        try Self.check(request, options)
        (self.session, self.request) = (session, request)
        resumptions = 0
        return try await arrive()
    }

    /// Loads all missing bytes in the first attempt. See ``arrive(_:through:)``.
    mutating func arrive() async throws -> HTTPDownload {
        var part = try file.storedPart(of: request, record)
        while true {
            let response = try await response(continuing: part)
            let length = response.body.length
            switch DownloadPlan(response.head, contentLength: length, to: part) {
            case .write(let offset, let end, let length):
                do {
                    let size = try await write(response, offset: offset, end: end, length: length)
                    if size == length || length == nil && offset == 0 {
                        return try await arrived(response.head, at: size)
                    }
                    part = try file.storedPart(of: request, record)
                    if size - offset < Self.shortRange || part == nil {
                        throw HTTPError.incomplete(response.head, size, length)
                    }
                } catch let error as HTTPError {
                    part = try await resuming(after: error)
                }
            case .finish(let size):
                await response.discard()
                try file.truncate(to: size)
                if !hasWritten { meter.resumedOffset = size }
                return try await arrived(response.head, at: size)
            case .startOver:
                await response.discard()
                try giveUpPart()
                part = nil
            case .refuse(let reason):
                response.body.abandon()
                try giveUpPart()
                throw HTTPError(
                    .protocolViolation, "the server sent \(reason)", phase: .receiving,
                    mayHaveReachedServer: true, response: response.head
                ).ending(request.url)
            case .unexpected: throw await Self.unexpected(response)
            }
        }
    }

    // MARK: Requesting

    private mutating func response(continuing part: StoredPart?) async throws -> HTTPResponse {
        var request = request
        request.delivery = .streamed
        request.isValidatedByHead = true
        if !request.headers.contains(.acceptEncoding) {
            request.headers[.acceptEncoding] = "identity"
        }
        part?.ask(&request)
        while true {
            do {
                return try await session.response(for: request)
            } catch let error as HTTPError {
                // A status that a validator below refuses may be the reply to the range request.
                if part != nil, error.code == .unexpectedStatus, let head = error.response,
                    head.status == .rangeNotSatisfiable
                {
                    return HTTPResponse(head, to: request)
                }
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
            try giveUpPart()
            throw error
        }
        guard error.isRetryable, error.timer?.name != .deadline,
            resumptions < options.maxResumptions,
            let part = try file.storedPart(of: request, record)
        else { throw error }
        let wait = options.backoff.delay(beforeRetry: resumptions)
        resumptions += 1
        let clock = request.call?.clock ?? options.clock
        try await clock.sleep(for: wait)
        return part
    }

    private static func unexpected(_ response: HTTPResponse) async -> HTTPError {
        // An error page is short. A body that is long or of unknown length is not waited for.
        var body: Data?
        if let length = response.body.length, length <= 4 << 10 {
            body = try? await response.body.collect(upTo: 4 << 10)
        }
        response.body.abandon()
        return HTTPError(
            .unexpectedStatus, "status \(response.status.code) contains no file", phase: .receiving,
            mayHaveReachedServer: true, response: response.head, body: body
        ).ending(response.url)
    }

    // MARK: Writing

    mutating func giveUpPart() throws {
        record = nil
        try file.removeRecord()
        try file.truncate(to: 0)
    }

    /// Writes the body, and returns the size of the file afterwards.
    private mutating func write(
        _ response: HTTPResponse, offset: Int64, end: Int64?, length: Int64?
    ) async throws -> Int64 {
        do {
            if offset == 0 {
                // This order makes sure that a record never describes a part that does not exist.
                try giveUpPart()
                record = PartRecord(response.head, to: request, length: length)
                meter.resumedOffset = nil
            } else {
                try file.truncate(to: offset)
                record?.goOn(from: offset, of: length)
                if !hasWritten { meter.resumedOffset = offset }
            }
            hasWritten = true
            if let record { try file.write(record) }
        } catch {
            response.body.abandon()
            throw error
        }
        tell(meter.advance(to: offset, of: length))

        var size = offset
        var nextCheckpoint = size + Self.checkpoint
        for try await piece in response.body {
            guard size + Int64(piece.count) <= end ?? .max else {
                try giveUpPart()
                throw HTTPError(
                    .protocolViolation, "the server sent more bytes than it announced",
                    phase: .receiving, mayHaveReachedServer: true, response: response.head)
            }
            try piece.write(toDescriptor: file.descriptor, at: size)
            size += Int64(piece.count)
            if size >= nextCheckpoint {
                try keepForGood(size)
                nextCheckpoint = size + Self.checkpoint
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

    private func tell(_ progress: HTTPTransferProgress?) {
        if let report, let progress { report(progress) }
    }

    // MARK: Finishing

    private func arrived(
        _ head: HTTPResponse.Head, at size: Int64
    ) async throws -> HTTPDownload {
        if let expected = options.sha256 {
            let found = try await file.sha256().hexadecimal
            guard found == expected.lowercased() else {
                try file.discard()
                throw HTTPError(
                    .digestMismatch,
                    "the file's SHA-256 is \(found), not the expected one: it has been removed",
                    mayHaveReachedServer: true, response: head
                ).ending(request.url)
            }
        }
        return HTTPDownload(
            path: file.names.part, length: size, response: head,
            resumedOffset: meter.resumedOffset, resumptions: resumptions)
    }

    /// Gives the complete file its name.
    mutating func finish(_ arrived: HTTPDownload) throws(HTTPError) -> HTTPDownload {
        try file.finish()
        tell(meter.finish(at: arrived.length))
        var download = arrived
        download.path = file.names.whole
        return download
    }

    /// Ends a call that failed. An empty part is removed.
    func leave() {
        if let size = try? file.size, size == 0 { try? file.discard() }
    }
}

// MARK: - Checks

extension DownloadRun {
    private static func check(
        _ request: HTTPRequest, _ options: HTTPDownloadOptions
    ) throws(HTTPError) {
        guard request.method != .head else {
            throw HTTPError(.invalidRequest, "a response to HEAD contains no file: send a GET")
        }
        for name in HTTPHeaderName.rangesAndPreconditions where request.headers.contains(name) {
            throw HTTPError(
                .invalidRequest,
                "a download requests ranges itself: remove the field \(name) from the request")
        }
        if let digest = options.sha256 {
            guard digest.utf8.count == 64, digest.allSatisfy(\.isHexDigit) else {
                throw HTTPError(.invalidRequest, "a SHA-256 has 64 hexadecimal digits")
            }
        }
    }
}

extension HTTPHeaderName {
    fileprivate static let rangesAndPreconditions: [HTTPHeaderName] = [
        .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince,
    ]
}

extension HTTPError {
    fileprivate static func incomplete(
        _ head: HTTPResponse.Head, _ size: Int64, _ length: Int64?
    ) -> HTTPError {
        HTTPError(
            .bodyIncomplete,
            "the file ended at byte \(size)" + (length.map { " of \($0)" } ?? ""),
            phase: .receiving, isRetryable: true, mayHaveReachedServer: true, response: head
        ).ending(head.url)
    }
}
