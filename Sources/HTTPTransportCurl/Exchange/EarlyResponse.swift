import HTTPCore

/// What a response means for the request's body when it comes before that has been sent.
///
/// Sending and receiving go on side by side. The body is cut where the server wants no more of it
/// (RFC 9112 §9.5): after a status that is an error, or a redirection, which sends the body
/// elsewhere; and on a connection that the server says it closes after the response, since what it
/// leaves unread has its system drop the response.
struct EarlyResponse: Equatable {
    /// The server does not take the request here.
    let refuses: Bool
    /// The server says that it closes the connection after the response.
    let closes: Bool
    private let endsConnection: Bool

    /// - Parameter isFramed: whether the response ends by its length or its last chunk, not with the
    ///   connection.
    init(status: HTTPStatus, version: HTTPVersion?, headers: HTTPHeaders, isFramed: Bool) {
        let tokens = headers[values: .connection].flatMap {
            $0.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        }
        refuses = status.code >= 300
        closes = tokens.contains("close")
        endsConnection = !isFramed || version == .http1_0 && !tokens.contains("keep-alive")
    }

    /// Nothing more of the body is sent.
    var cutsBody: Bool { refuses || closes }

    /// The rest of the body is sent even when the response has ended.
    var isOutlived: Bool { !cutsBody && !endsConnection }
}
