public import HTTPCore
public import HTTPFormats

extension HTTPError {
    /// What the server says about the failure in RFC 9457's words; `nil` where its response was of another
    /// type than `application/problem+json`, or is not there whole (``HTTPCore/HTTPError/bodyPrefix``).
    ///
    /// Parsed each time it is asked for. May hold secrets, and is in no description.
    public var problemDetails: ProblemDetails? {
        if let head = response, let body = bodyPrefix,
            head.headers.contentType?.essence == MediaType.problemJSON.essence
        {
            return (try? HTTPJSON(parsing: body)).flatMap { ProblemDetails($0) }
        }
        return (underlyingError as? HTTPError)?.problemDetails
    }
}
