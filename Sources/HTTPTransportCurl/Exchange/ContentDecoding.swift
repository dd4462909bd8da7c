import HTTPCodings
import HTTPCore

/// The content codings of a response, which its reader decodes.
struct ContentDecoding {
    /// `true` if the transport asks for codings, and decodes what comes.
    let isAsked: Bool
    /// The codings that are decoded, in the order in which they were applied.
    private(set) var codings: [HTTPContentCoding] = []

    init(_ request: HTTPRequest, isWanted: Bool) {
        let headers = request.headers
        isAsked =
            isWanted && !headers.contains(.acceptEncoding) && !headers.contains(.range)
    }

    /// `true` if the content is decoded.
    var isActive: Bool { !codings.isEmpty }

    mutating func begin(_ headers: HTTPHeaders) throws(HTTPError) {
        codings = isAsked ? try HTTPContentCoding.codings(of: headers) : []
    }

    /// The response is not the final one: another one follows.
    mutating func startAgain() { codings = [] }
}
