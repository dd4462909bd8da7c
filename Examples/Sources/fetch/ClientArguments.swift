import ArgumentParser
import HTTPClientKit

/// The arguments for more than one exchange, which HTTPClientKit implements.
struct ClientArguments: ParsableArguments {
    @Flag(help: "Do not follow redirects; treat them as any other response.")
    var noRedirects = false

    @Option(help: ArgumentHelp("The largest number of redirects to follow.", valueName: "count"))
    var maxRedirects = 20

    @Option(
        help: ArgumentHelp(
            """
            Retry up to this many times, by the standard rules: idempotent methods, failed \
            connections and responses such as 503, with growing waits or those of Retry-After.
            """, valueName: "count"))
    var retry = 0

    @Option(
        name: [.customShort("u"), .customLong("user")],
        help: ArgumentHelp(
            """
            The credentials for the URL's origin, sent when it asks for them, with the stronger of \
            Digest and Basic that it offers. Other origins get none.
            """, valueName: "name:password"))
    var user: String?

    @Flag(help: "Send the password of -u for Basic over http, too, where others can read it.")
    var unencryptedPassword = false

    @Option(
        help: ArgumentHelp(
            """
            Send the cookies in this file and store those of responses in it. curl, wget and this \
            program can use the same file (-b and -c of curl).
            """, valueName: "file"))
    var cookieJar: String?

    @Option(
        help: ArgumentHelp(
            """
            Store responses in this folder, of 256 MiB at most, and use them again as RFC 9111 \
            allows. -v shows which one was used, and why.
            """, valueName: "folder"))
    var cache: String?

    func validate() throws {
        guard maxRedirects >= 0, retry >= 0 else {
            throw ValidationError("--max-redirects and --retry take no negative number")
        }
        if let user, !user.contains(":") {
            throw ValidationError("-u takes 'name:password', but the argument has no colon")
        }
    }

    /// - Parameter log: The log of every exchange, if there is one.
    func makeClient(
        over transport: any HTTPSession, for request: HTTPRequest, log: MessageLog?
    ) throws -> HTTPClient {
        var policy = RetryPolicy.none
        if retry > 0 {
            policy = .standard
            policy.maxRetries = retry
        }
        return HTTPClient(
            transport: transport, validators: [], retry: policy,
            redirects: Redirects(noRedirects ? .manual : .follow, limit: maxRedirects),
            authentication: try authentication(for: request),
            cookies: try cookieJar.map { path throws in
                try HTTPCookieJar.file(at: path, keepingSessionCookies: true)
            },
            cache: try cache.map { folder throws in try .disk(at: folder, limit: 256 << 20) }
        ) { configuration in
            // The limit is the number from the command line, not a share of the traffic.
            configuration.retryBudget = nil
            // One person uses the command line.
            configuration.cachePartition = user?.prefix { $0 != ":" }.description
            guard let log else { return }
            configuration.observer = log
            configuration.callMiddleware = [log]
        }
    }

    private func authentication(for request: HTTPRequest) throws -> [any HTTPClientMiddleware] {
        guard let user, let colon = user.firstIndex(of: ":") else { return [] }
        let credentials = PasswordCredentials(
            user: String(user[..<colon]), password: String(user[user.index(after: colon)...]),
            for: try HTTPOrigin(request.url))
        return [
            ChallengeAuthentication(credentials, sendsPasswordUnencrypted: unencryptedPassword)
        ]
    }
}
