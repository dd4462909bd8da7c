import HTTPCore
import HTTPValidation
import PortableFoundation

extension HTTPError {
    /// Returns the same error of a body that could not be written to its file, with its request and
    /// its head. The error of a full disk is not about the response.
    func writing(_ response: HTTPResponse) -> Self {
        code == .fileNotWritten ? self : reading(response)
    }

    static func refused(_ reason: String, _ head: HTTPResponse.Head) -> HTTPError {
        HTTPError(
            .protocolViolation, "the server sent \(reason)", phase: .receiving,
            mayHaveReachedServer: true, response: head)
    }

    static func tooManyBytes(_ head: HTTPResponse.Head) -> HTTPError {
        refused("more bytes than it announced", head)
    }

    static func unexpected(_ response: HTTPResponse) async -> HTTPError {
        // An error page is short. A body that is long or of unknown length is not waited for.
        var body: Data?
        if let length = response.body.length, length <= 4 << 10 {
            body = try? await response.body.collect(upTo: 4 << 10)
        }
        response.body.abandon()
        return unexpectedStatus(
            response.head, "status \(response.status.code) contains no file", phase: .receiving,
            body: body
        ).ending(response)
    }

    static func incomplete(
        _ head: HTTPResponse.Head, _ size: Int64, _ length: Int64?
    ) -> HTTPError {
        HTTPError(
            .bodyIncomplete,
            "the file ended at byte \(size)" + (length.map { " of \($0)" } ?? ""),
            phase: .receiving, isRetryable: true, mayHaveReachedServer: true, response: head
        ).ending(head.url, method: .get)
    }
}
