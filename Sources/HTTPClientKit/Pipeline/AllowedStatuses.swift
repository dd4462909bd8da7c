import HTTPCore
import HTTPValidation

/// A rule of a pipeline for the status, which also accepts a response that the session itself
/// throws as an error.
struct AllowedStatuses: HTTPClientMiddleware {
    let validator: StatusValidator

    func intercept(_ request: HTTPRequest, next: any HTTPSession) async throws -> HTTPResponse {
        let accepting = Accepting(validator: validator, next: next)
        return try await Validation([validator]).intercept(request, next: accepting)
    }

    private struct Accepting: HTTPSession {
        let validator: StatusValidator
        let next: any HTTPSession

        func response(for request: HTTPRequest) async throws -> HTTPResponse {
            do {
                return try await next.response(for: request)
            } catch let error as HTTPError where error[RefusedBySession.self] {
                guard let head = error.response, validator.accepts(head.status),
                    let body = error.bodyPrefix
                else { throw error.markedAsOfSession(false) }
                var response = HTTPResponse(head, body: HTTPBody(body), to: request)
                response.options = error.options
                response.options.remove(RefusedBySession.self)
                return response
            }
        }
    }
}

/// `true` in an error that the session of a pipeline has thrown because of the response's status.
enum RefusedBySession: HTTPRequestOption {
    static var defaultValue: Bool { false }
}

extension HTTPError {
    /// Returns the error of a pipeline's session, marked if it stands for a whole response and no
    /// rule of the pipeline has objected to that.
    func markedAsOfSession(_ isOfSession: Bool) -> HTTPError {
        guard code == .unexpectedStatus, response != nil, bodyPrefix != nil else { return self }
        var options = options
        options[RefusedBySession.self] = isOfSession
        return keeping(options: options)
    }
}
