public import Foundation
import HTTPCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An error that URLSession reported: its code (of `NSURLErrorDomain`) and its description.
///
/// It is not the `URLError` itself, whose user information contains the whole URL, with any
/// secrets.
public struct URLSessionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code, in `NSURLErrorDomain`.
    public let code: Int
    /// The system's description of it.
    public let reason: String

    init(_ error: any Error) {
        let error = error as NSError
        self.code = error.code
        self.reason = error.localizedDescription
    }

    public var description: String { "URLSession \(code): \(reason.escapingControls())" }
}

extension URLSessionError: LocalizedError {
    public var errorDescription: String? { description }
}

extension HTTPError {
    /// Creates the error that an error of URLSession means for an exchange that has begun.
    ///
    /// On Linux most failures share one code, -1, and only libcurl's message tells them apart. If
    /// that message does not tell either, the error is `internalFailure`, with the cause.
    ///
    /// - Parameters:
    ///   - hasHead: whether the response's head had arrived.
    ///   - hasSent: whether URLSession had asked for bytes of the body, or may have sent the
    ///     request before.
    init(_ error: any Error, hasHead: Bool, hasSent: Bool) {
        let cause = URLSessionError(error)
        let code: URLError.Code? = URLError.Code(rawValue: cause.code)
        let reason = cause.reason
        let row =
            code.flatMap { Self.byCode($0, hasHead: hasHead) } ?? Self.byReason(
                reason, hasHead: hasHead)
            ?? Row(.internalFailure, "URLSession failed for an unknown reason")
        let isEarly =
            switch row.phase {
            case .preparing, .resolving, .connecting, .securing: true
            default: false
            }
        self.init(
            row.code, row.message,
            phase: row.phase ?? (hasHead ? .receiving : .waiting), isRetryable: row.isRetryable,
            mayHaveReachedServer: !isEarly || hasHead || hasSent, underlyingError: cause)
    }

    private struct Row {
        var code: Code
        var message: String
        var phase: Phase?
        var isRetryable: Bool

        init(_ code: Code, _ message: String, _ phase: Phase? = nil, isRetryable: Bool = false) {
            self.code = code
            self.message = message
            self.phase = phase
            self.isRetryable = isRetryable
        }
    }

    private static func byCode(_ code: URLError.Code, hasHead: Bool) -> Row? {
        switch code {
        case .badURL:
            // The URL was checked. On Linux, URLSession compares its own form of the host with
            // libcurl's before it sends anything.
            Row(
                .unsupportedOption,
                "URLSession cannot send to the host of this URL, as to IPv6 addresses on Linux "
                    + "(corelibs issue 5496): use a name, an IPv4 address or another transport",
                .preparing)
        case .cannotFindHost, .dnsLookupFailed:
            Row(
                .nameNotResolved, "the host's name could not be resolved", .resolving,
                isRetryable: true)
        case .cannotConnectToHost, .notConnectedToInternet:
            Row(.cannotConnect, "no connection could be made", .connecting, isRetryable: true)
        case .timedOut where !hasHead:
            // The transport's own limits never cause a URLError. Here the system gave up
            // connecting.
            Row(
                .cannotConnect, "no connection could be made in time", .connecting,
                isRetryable: true)
        case .networkConnectionLost, .badServerResponse, .timedOut:
            hasHead
                ? Row(.bodyIncomplete, "the connection ended in the body", isRetryable: true)
                : Row(
                    .connectionLost, "the connection ended before a complete head had arrived",
                    isRetryable: true)
        case .unsupportedURL, .cannotParseResponse:
            // The URL was checked, so the response is not HTTP/1.1 or has no valid status.
            Row(.protocolViolation, "the response is not HTTP")
        case .secureConnectionFailed:
            Row(.tlsFailed, "TLS failed", .securing)
        case .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
            Row(.serverNotTrusted, "the server's certificate is not trusted", .securing)
        case .clientCertificateRejected, .clientCertificateRequired:
            Row(.tlsFailed, "the server wants a client certificate", .securing)
        default: nil
        }
    }

    private static let unreadHead =
        "URLSession cannot read the response's head: it is not HTTP, or has a form that URLSession "
        + "on Linux does not know, such as a value right after the colon or not in UTF-8 (use "
        + "another transport for such a server)"
    private static let unreadTrailers =
        "URLSession cannot read the response's trailers: use another transport for such a server"

    /// Returns the meaning of a message of libcurl. These are the same in every locale.
    private static func byReason(_ reason: String, hasHead: Bool) -> Row? {
        func says(_ fragments: String...) -> Bool { fragments.contains(where: reason.contains) }
        // URLSession's parser has refused a line. The first message is that of libcurl 8.
        if says("Failure writing output", "Failed writing header") {
            return Row(.protocolViolation, hasHead ? unreadTrailers : unreadHead)
        }
        // Covers every reason of the system, because only a refusal has a code.
        if says("Failed to connect to", "ouldn't connect to", "ould not connect to") {
            return Row(
                .cannotConnect, "no connection could be made", .connecting, isRetryable: true)
        }
        if says("transfer closed with", "end of response with") {
            return Row(.bodyIncomplete, "the body ended early", isRetryable: true)
        }
        if says("content encoding") {
            return Row(.contentDecodingFailed, "the body's content coding is unknown")
        }
        if says("content unencoding") {
            return Row(.contentDecodingFailed, "the body's content coding is broken")
        }
        if says("chunk") { return Row(.protocolViolation, "the body's chunks are broken") }
        // "Out of memory" is how older versions report libcurl's own limit for a line.
        if says("Too large response headers", "Out of memory", "grew larger than allowed") {
            return Row(.headersTooLarge, "the response's head is too large", .waiting)
        }
        // Bytes after the end of the coded data cause an error of writing to libcurl's caller.
        if says("Failed writing received data") {
            return Row(
                .contentDecodingFailed, "the body has bytes after the end of the coded data")
        }
        // libcurl's error for a head that begins with a folded line, and in 7.88 for some sizes of
        // chunks.
        if says("bad argument") {
            return Row(
                .protocolViolation,
                hasHead ? "the body's chunks are broken" : "the response's head is not HTTP")
        }
        if says("eader") {
            return Row(
                .protocolViolation,
                "the response's \(hasHead ? "trailers are" : "head is") not HTTP")
        }
        if says("Invalid Content-Length") {
            return Row(.protocolViolation, "the Content-Length is not a number")
        }
        if says("Invalid status line") {
            return Row(.protocolViolation, "the response's head is not HTTP")
        }
        if says("certificate") {
            return Row(.serverNotTrusted, "the server's certificate is not trusted", .securing)
        }
        if says("SSL", "TLS") { return Row(.tlsFailed, "TLS failed", .securing) }
        if says("Recv failure", "Send failure") {
            return Row(.connectionLost, "the connection was lost", isRetryable: true)
        }
        return nil
    }
}
