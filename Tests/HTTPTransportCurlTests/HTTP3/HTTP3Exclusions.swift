import HTTPTesting

/// The conformance cases that do not pass over HTTP/3, because of the server that forwards them.
enum HTTP3Exclusions {
    static let nginx =
        ofBoth
        + exclusions(hidesInterim, because: "nginx 1.26 resets the stream of an interim response")
        + exclusions(
            bigHeads,
            because:
                "nginx limits a head to the size of a buffer, and passes on no value that is blank")
        + exclusions(trailers, because: "nginx before 1.27 passes on no trailers")
        + exclusions(connections, because: "nginx has its own connections to the origin")
        + [
            .init(
                "the same length twice is one length",
                because: "nginx answers itself, because the origin's response is invalid"),
            .init("a folded line continues its value, or is refused", because: nginxFolds),
            .init("a folded line that continues nothing is refused", because: nginxFolds),
            .init(
                "a transfer coding on a folded line is honoured, or refused", because: nginxFolds),
            .init(
                "a content coding on a folded line is honoured, left alone or refused",
                because: nginxFolds),
            .init(
                "the response head limit ends an exchange after interim responses",
                because: "nginx 1.26 resets the stream of an interim response"),
        ]
        + exclusions(
            waiting,
            because: "nginx does not leave the origin when its client leaves, or does not answer",
            isAttempted: false)

    private static let nginxFolds = "nginx does not know folded lines, and drops or refuses them"

    static let caddy =
        ofBoth
        + exclusions(
            connections, because: "Caddy has its own connections to the origin, often but one",
            isAttempted: false)
        + exclusions(
            cuts, because: "Caddy answers itself when the origin's response is cut this early")
        + [
            .init(
                "a folded line that continues nothing is refused",
                because: "Caddy drops such a line"),
            .init(
                "methods that expect no content have no framing without it",
                because: "Caddy writes the framing of its own request"),
            .init(
                "204 with a length ends at its head",
                because: "libcurl refuses the length of a 204 over HTTP/3 (RFC 9110 §8.6)"),
            .init(
                "407 for a proxy is answered once, with its body",
                because: "Caddy drops Proxy-Authenticate"),
            .init(
                "a kept connection that the server has closed is replaced",
                because: "Caddy may not have seen that the origin has closed its connection",
                isAttempted: false),
            .init(
                "an answer that comes before a large body is sent is the answer",
                because: "Caddy may lose the body of a response that comes early",
                isAttempted: false),
            .init(
                "an early refusal lets an endless producer go",
                because: "Caddy may lose the body of a response that comes early",
                isAttempted: false),
        ]

    private static let ofBoth =
        exclusions(
            spelling,
            because: "the server writes the request and the response anew, each in its own way")
        + exclusions(addresses, because: "the URL of the request is not the one that is sent")
        + exclusions(
            errors,
            because: "the server answers itself, because the origin's response is invalid or cut")
        + exclusions(ownConnections, because: "the server has its own connections to the origin")
        + exclusions(
            cutBodies,
            because: "libcurl may close the connection without a word if a body was not passed on",
            isAttempted: false)
        + exclusions(
            unasked, because: "the server's own connection may be read too early or too late",
            isAttempted: false)

    private static func exclusions(
        _ names: [String], because reason: String, isAttempted: Bool = true
    ) -> [TransportConformance.Exclusion] {
        names.map { .init($0, because: reason, isAttempted: isAttempted) }
    }

    private static let spelling = [
        "a Host of the request's own is sent in place of the origin",
        "names of fields are sent as spelled",
        "fields are sent in the request's order",
        "names are kept as spelled",
        "fields are kept in order",
        "the version of the response is told",
    ]

    private static let addresses = [
        "the response says which URL has answered",
        "HTTP/3 is refused over cleartext",
        "an IPv6 address is a host",
    ]

    private static let errors = [
        "a status line of 1 MB is refused",
        "status 099 is refused",
        "status 1000 is refused",
        "a status of letters is refused",
        "an unrequested switch of protocols is refused",
        "a version in small letters is refused",
        "a version that is none is refused",
        "a version that the connection does not speak is refused",
        "what is not HTTP is refused",
        "two blanks before the status are refused",
        "a switch of protocols is refused at once, not when the connection ends",
        "a switch of protocols is refused, whatever follows",
        "a line without a colon is refused",
        "a blank before the colon is refused",
        "a field without a name is refused",
        "a blank in a name is refused",
        "NUL in a value is refused",
        "a control character in a value is refused",
        "a list of one length is one length",
        "two lengths that differ are refused",
        "a list of lengths that differ is refused",
        "a length that is no number is refused",
        "a negative length is refused",
        "a length that no integer holds is refused",
        "a length with a sign is refused",
        "a length beside chunks is refused",
        "a negative chunk size is refused",
        "chunks of chunks in two fields are refused",
        "chunks of chunks are refused",
        "a chunk size of letters is refused",
        "a chunk size that no integer holds is refused",
        "a chunk that is longer than its size is refused",
        "a connection that is reset as soon as it is made is no failure of ours",
        "a refused connection is told as such, at once",
        "a connection that is reset before any byte is lost",
        "a connection that is reset in the version is lost",
        "a connection that is closed before any byte is lost",
        "a connection that is closed in the version is lost",
        "a connection that is reset in the status line is lost",
        "a connection that is closed in the status line is lost",
        "a connection that is reset after the status line is lost",
        "a connection that is closed after the status line is lost",
        "a connection that is reset in a field is lost",
        "a connection that is closed in a field is lost",
        "a connection that is closed between fields is lost",
        "a connection that is reset between fields is lost",
        "a half-closed connection that has sent less than a head is lost",
        "an error names the URL without its query",
        "an observer is told once of a failure",
    ]

    private static let ownConnections = [
        "a connection is kept after answers without content",
        "a POST whose kept connection ends is not sent again",
    ]

    private static let cutBodies = [
        "the total limit ends an exchange while a body is sent",
        "the idle limit ends an exchange while a body is sent",
        "cancelling while a body is sent is told, and frees the connection",
        "cancelling while a stream is sent is told, and frees the connection",
    ]

    private static let hidesInterim = [
        "an interim response before the body is passed over",
        "103 and its fields are passed over",
        "100 is passed over",
        "twenty interim responses are passed over",
        "thirty interim responses are too many",
        "an observer is told of interim responses",
    ]

    private static let bigHeads = [
        "a value of blanks is empty",
        "tabs around a value are no part of it",
        "a value of 8 KiB is taken",
        "200 KiB of fields are taken",
        "900 fields are taken",
        "a line of 60 KiB is taken",
        "more than 1,000 fields are refused",
        "a line beyond 64 KiB is refused",
        "300 KiB of fields are refused",
    ]

    private static let trailers = [
        "trailers come with the end of the body",
        "there are no trailers before the end of the body",
    ]

    private static let connections = [
        "a connection is kept after chunks",
        "a connection is kept after an error status",
        "a connection is kept after an upload",
        "a hundred requests one after the other share a connection",
        "a short rest is read away, and its connection kept",
    ]

    private static let waiting = [
        "a method in small letters is sent as it is, or refused",
        "cancelling before the body is told, and frees the connection",
        "cancelling in the body is told, and frees the connection",
        "cancelling between chunks is told, and frees the connection",
        "cancelling while a body is buffered is told, and frees the connection",
        "the idle limit ends an exchange in the body",
        "the idle limit ends an exchange in a buffered body",
        "the total limit ends an exchange in the body",
        "the total limit ends an exchange in a buffered body",
        "the deadline ends an exchange in the body",
        "the deadline ends an exchange in a buffered body",
        "the response head limit does not end a body that is still being sent",
        "the response head limit does not end a body that stalls after the head",
        "the response head limit does not end a buffered body that stalls after the head",
        "a rest that does not come is given up",
        "a body that is dropped unread frees its connection",
        "a loop that is left frees its connection",
        "abandoning a body during a read ends the read",
        "an observer is told that a body was given up",
    ]

    private static let cuts = [
        "a connection that is reset after an interim response is lost",
        "a connection that is closed before the first chunk cuts the body short",
        "a connection that is closed between chunks cuts the body short",
        "a connection that is closed after an interim response is lost",
        "a connection that is closed in the last chunk cuts the body short",
        "a connection that is closed in a chunk cuts the body short",
        "a connection that is closed in the trailers cuts the body short",
    ]

    private static let unasked = [
        "a second response is never the answer to the next request",
        "a 408 on an idle connection is never the answer to the next request",
    ]
}
