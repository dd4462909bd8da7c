import ArgumentParser
import HTTPClientKit

/// The arguments that say what is done beyond one exchange: where HTTPClientKit comes in.
struct ClientArguments: ParsableArguments {
    @Flag(help: "Take a redirect for an answer like any other.")
    var noRedirects = false

    @Option(help: ArgumentHelp("Follow no more redirects than this.", valueName: "count"))
    var maxRedirects = 20

    @Option(
        help: ArgumentHelp(
            """
            Send again so often, by the standard rules: methods that are idempotent, connections that \
            failed and answers such as 503; with growing waits, or as Retry-After says.
            """, valueName: "count"))
    var retry = 0

    @Option(
        name: [.customShort("u"), .customLong("user")],
        help: ArgumentHelp(
            """
            What to answer with when the URL's origin asks for credentials: the strongest of Digest and Basic \
            that it offers. Other origins get none.
            """, valueName: "name:password"))
    var user: String?

    @Flag(help: "Let -u answer Basic over http, too, where anybody can read the password.")
    var unencryptedPassword = false

    func validate() throws {
        guard maxRedirects >= 0, retry >= 0 else {
            throw ValidationError("--max-redirects and --retry take no negative number")
        }
        if let user, !user.contains(":") {
            throw ValidationError("-u takes 'name:password', and there is no colon in it")
        }
    }

    /// - Parameter log: told of every exchange, if there is one.
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
            authentication: try authentication(for: request)
        ) { configuration in
            // What was asked for is a number, not a share of the traffic.
            configuration.retryBudget = nil
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
