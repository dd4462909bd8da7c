import ArgumentParser
import HTTPClientKit

/// The arguments for more than one exchange, which HTTPClientKit implements.
struct ClientArguments: ParsableArguments {
    @Flag(
        name: [.long, .customLong("no-location")],
        help: "Do not follow redirects; treat them as any other response.")
    var noRedirects = false

    @Flag(name: [.customShort("L"), .long], help: "Follow redirects, which is the default.")
    var location = false

    @Option(
        name: [.long, .customLong("max-redirs")], parsing: .unconditional,
        help: ArgumentHelp(
            "The largest number of redirects to follow; -1 for no limit.", valueName: "count"))
    var maxRedirects = 20

    @Option(
        help: ArgumentHelp(
            """
            Retry up to this many times, by the standard rules: idempotent methods, failed \
            connections and responses such as 503, with growing waits or those of Retry-After.
            """, valueName: "count"))
    var retry = 0

    @Option(
        help: ArgumentHelp(
            "Wait this long before each retry, instead of growing waits.", valueName: "seconds"))
    var retryDelay: Double?

    @Option(
        help: ArgumentHelp(
            "Begin no retry when the call is older than this.", valueName: "seconds"))
    var retryMaxTime: Double?

    @Flag(
        help: """
            Retry after every failure, too; with -f or --fail-with-body, after every status of 400 \
            or above.
            """)
    var retryAllErrors = false

    @OptionGroup(title: "Credentials") var credentials: AuthenticationArguments
    @OptionGroup(title: "Cookies") var cookies: CookieArguments

    @Option(
        help: ArgumentHelp(
            """
            Store responses in this folder, of 256 MiB at most, and use them again as RFC 9111 \
            allows. -v shows which one was used, and why.
            """, valueName: "folder"))
    var cache: String?

    func validate() throws {
        guard maxRedirects >= -1, retry >= 0 else {
            throw ValidationError("--max-redirects and --retry take no negative number")
        }
        for (name, seconds) in [
            ("--retry-delay", retryDelay), ("--retry-max-time", retryMaxTime),
        ] {
            guard (0...1e9).contains(seconds ?? 0) else {
                throw ValidationError("\(name) takes a number of seconds")
            }
        }
        guard !noRedirects || !location else {
            throw ValidationError("remove --location or --no-redirects: they contradict each other")
        }
    }

    /// Returns the client for a call.
    ///
    /// - Parameters:
    ///   - userInfo: The credentials in the URL, if there are any.
    ///   - failsOnStatus: `true` if a status of 400 or above is a failure.
    ///   - log: The log of every exchange, if there is one.
    func makeClient(
        over transport: any HTTPSession, for request: HTTPRequest, userInfo: String?,
        failsOnStatus: Bool, log: MessageLog?
    ) throws -> HTTPClient {
        HTTPClient(
            transport: transport, validators: [],
            retry: retryPolicy(failsOnStatus: failsOnStatus),
            redirects: Redirects(
                noRedirects ? .manual : .follow, limit: maxRedirects < 0 ? .max : maxRedirects),
            authentication: try credentials.layers(for: request, userInfo: userInfo),
            cookies: try cookies.makeJar(),
            cache: try cache.map { folder throws in try .disk(at: folder, limit: 256 << 20) }
        ) { configuration in
            // The limit is the number from the command line, not a share of the traffic.
            configuration.retryBudget = nil
            // One person uses the command line.
            configuration.cachePartition =
                credentials.userName ?? userInfo?.prefix { $0 != ":" }.description
            guard let log else { return }
            configuration.observer = log
            configuration.callMiddleware = [log]
        }
    }

    private func retryPolicy(failsOnStatus: Bool) -> RetryPolicy {
        guard retry > 0 else { return .none }
        var policy = RetryPolicy.standard
        policy.maxRetries = retry
        if let retryDelay, retryDelay > 0 { policy.backoff = .constant(.seconds(retryDelay)) }
        if retryAllErrors {
            policy = policy.also { attempt in
                switch attempt.end {
                case .response(let head): failsOnStatus && head.status.code >= 400
                case .failure: true
                }
            }
        }
        if let retryMaxTime, retryMaxTime > 0 {
            let end = ContinuousClock.now + .seconds(retryMaxTime)
            policy = policy.unless { _ in ContinuousClock.now >= end }
        }
        return policy
    }
}
