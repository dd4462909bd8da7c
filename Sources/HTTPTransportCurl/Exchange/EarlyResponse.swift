import HTTPCore

/// The consequences for a request's body if its response comes before the body has been sent.
///
/// Sending and receiving proceed side by side. The body is cut off if the server wants no more of
/// it (RFC 9112 §9.5): after an error status, after a redirection, which sends the body elsewhere,
/// and on a connection that the server says it closes after the response. In the last case, the
/// server's system drops the response if bytes are left unread.
struct EarlyResponse: Equatable {
    /// `true` if the server does not accept the request here.
    let refuses: Bool
    /// `true` if the server says that it closes the connection after the response.
    let closes: Bool
    private let endsConnection: Bool

    /// - Parameter isFramed: `true` if the response ends with its length or its last chunk, and not
    ///   with the connection.
    init(status: HTTPStatus, version: HTTPVersion?, headers: HTTPHeaders, isFramed: Bool) {
        let tokens = headers[values: .connection].flatMap {
            $0.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        }
        refuses = status.code >= 300
        closes = tokens.contains("close")
        endsConnection = !isFramed || version == .http1_0 && !tokens.contains("keep-alive")
    }

    /// `true` if no more of the body is sent.
    var cutsBody: Bool { refuses || closes }

    /// `true` if the rest of the body is sent even after the response has ended.
    var isOutlived: Bool { !cutsBody && !endsConnection }
}
