import HTTPClientKit
import HTTPTransportCurl

/// A failure of the program: one line for people, one exit code for scripts.
struct FetchFailure: Error, Sendable {
    let message: String
    let exitCode: Int32

    /// The failure for `--fail`.
    static func status(_ status: HTTPStatus) -> FetchFailure {
        FetchFailure(message: "the server responded with \(status)", exitCode: 22)
    }

    /// The failure for `--compare`, with the exit code of `diff`.
    static let different = FetchFailure(
        message: "the transports do not agree in status or content", exitCode: 1)

    /// The failure for `-C` if the server does not send the rest.
    static let noRange = FetchFailure(
        message: "the server does not continue the file at its end: remove -C, or the file",
        exitCode: 33)

    private init(message: String, exitCode: Int32) {
        self.message = message
        self.exitCode = exitCode
    }

    init(_ error: any Error) {
        switch error {
        case let failure as FetchFailure: self = failure
        case let error as HTTPError:
            let exit =
                Self.exits.first { $0.code == error.code }
                ?? Self.exits.first { $0.code == error.innermostCode }
            let hint = Self.hints[error.code].map { "; \($0)" } ?? ""
            self.init(message: error.description + hint, exitCode: exit?.number ?? Self.other)
        case is CancellationError: self.init(message: "interrupted", exitCode: 130)
        default: self.init(message: "\(error)", exitCode: Self.other)
        }
    }

    /// Advice about an error, in terms of the command line.
    private static let hints: [HTTPError.Code: String] = [
        .passwordWithheld: "with fetch: --unencrypted-password"
    ]

    /// The exit codes of curl, where curl has one.
    private static let exits: [(code: HTTPError.Code, number: Int32, meaning: String)] = [
        (.invalidRequest, 3, "the URL, a field, the data or another part cannot be sent"),
        (.unsupportedOption, 4, "the transport cannot honour an option"),
        (.nameNotResolved, 6, "the host name was not resolved"),
        (.cannotConnect, 7, "no connection"),
        (.protocolViolation, 8, "the response is not HTTP"),
        (.bodyIncomplete, 18, "the body ended too soon"),
        (
            .unexpectedStatus, 22,
            "with -f: the status is 400 or above; with --resume: there is no file"
        ),
        (.fileNotWritten, 23, "the output could not be written"),
        (.cookiesNotSaved, 23, "the file of --cookie-jar could not be written"),
        (.cacheFolderUnusable, 23, "the folder of --cache cannot be used"),
        (.requestBodyFailed, 26, "the data could not be read"),
        (.invalidNetrc, 26, "the netrc file could not be read"),
        (.cookiesNotRead, 26, "the file of --cookie-jar could not be read"),
        (.timedOut, 28, "a time limit was exceeded"),
        (.tlsFailed, 35, "TLS failed"),
        (.tooManyRedirects, 47, "more redirects than --max-redirects"),
        (.connectionLost, 52, "the connection ended before a complete response head"),
        (.serverNotTrusted, 60, "the server's certificate was refused"),
        (.contentDecodingFailed, 61, "the content is damaged or cut, or has too many codings"),
        (.bodyTooLarge, 63, "the body is longer than --max-bytes"),
        (.proxyFailed, 97, "the proxy refused, or could not be reached"),
        (.passwordWithheld, 94, "the password needs encryption, or --unencrypted-password"),
        (.headersTooLarge, 100, "the response's head is too large"),
        (.redirectRefused, 101, "a redirect that must not be followed, such as from https to http"),
        (.fileBusy, 102, "with --resume: another program is writing the file"),
        (.versionNotSpoken, 103, "the server does not speak the version of HTTP"),
    ]
    private static let other: Int32 = 70

    static let help =
        ([
            (0, "a response arrived, whatever its status"),
            (different.exitCode, "with --compare: status or content differ"),
            (noRange.exitCode, "with -C: the server does not send the rest"),
        ]
        + exits.map { ($0.number, $0.meaning) }
        + [(64, "the command line is wrong"), (other, "any other failure"), (130, "interrupted")])
        .sorted { $0.0 < $1.0 }
        .map { number, meaning in
            String(repeating: " ", count: 5 - "\(number)".count) + "\(number)  \(meaning)"
        }
        .joined(separator: "\n")
}
