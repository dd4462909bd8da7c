public import HTTPCore
public import PortableFoundation

extension HTTPSession {
    /// Sends a file as the body of `request`. The file is read while it is sent, so that memory use
    /// stays constant. `Content-Type` is the request's.
    ///
    /// - Parameters:
    ///   - path: The path of the file to send.
    ///   - request: The request to send.
    ///   - progress: Called where the file is read, so it should return at once. Values never
    ///     decrease, even if a layer below sends the request again. A fraction of 1 means that the
    ///     last byte has been handed over for sending, not that the server has it.
    /// - Throws: `invalidRequest` if the file cannot be read; otherwise the same as
    ///   ``response(for:)``.
    public func upload(
        file path: String, with request: HTTPRequest,
        progress: (@Sendable (HTTPTransferProgress) -> Void)? = nil
    ) async throws -> HTTPResponse {
        var request = request
        request.body = try HTTPBody(file: path)
        if let progress {
            let meters = TransferMeters(progress)
            if request.body.isEmpty { meters.sent(HTTPBodyProgress(bytes: 0, length: 0)) }
            request.body = request.body.reportingProgress(meters.sent)
        }
        return try await response(for: request)
    }

    /// Sends the file of a file URL as the body of `request`. See
    /// ``upload(file:with:progress:)-(String,_,_)``.
    public func upload(
        file: URL, with request: HTTPRequest,
        progress: (@Sendable (HTTPTransferProgress) -> Void)? = nil
    ) async throws -> HTTPResponse {
        try await upload(file: file.filePath, with: request, progress: progress)
    }
}
