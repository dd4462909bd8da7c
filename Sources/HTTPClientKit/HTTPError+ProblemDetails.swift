public import HTTPCore
public import HTTPFormats

extension HTTPError {
    /// The server's explanation of the failure (RFC 9457); `nil` if the response is not of type
    /// `application/problem+json` or is incomplete (``/HTTPCore/HTTPError/bodyPrefix``).
    ///
    /// Parsed at each access. The details may contain secrets and are in no description.
    public var problemDetails: ProblemDetails? {
        if let head = response, let body = bodyPrefix,
            head.headers.contentType?.essence == MediaType.problemJSON.essence
        {
            return (try? HTTPJSON(parsing: body)).flatMap { ProblemDetails($0) }
        }
        return (underlyingError as? HTTPError)?.problemDetails
    }
}
