// A bridge from swift-configuration to HTTPClientKit. This file can be copied into another program.

public import Configuration
public import HTTPClientKit

extension HTTPClient {
    /// Creates a client from configuration keys:
    /// `try HTTPClient(config: config.scoped(to: "http"))`.
    ///
    /// | key | value |
    /// |---|---|
    /// | `baseURL` | the URL that relative requests are appended to |
    /// | `userAgent` | the field `User-Agent` |
    /// | `bearerToken` | a token for the origin of `baseURL`; secret |
    /// | `deadlineSeconds` | the limit of a call, in seconds above zero |
    /// | `connectTimeoutSeconds` | the limit of a connection, in seconds above zero |
    /// | `idleTimeoutSeconds`, `totalTimeoutSeconds` | the same of an exchange |
    /// | `maxRetries` | the number of retries by the standard policy; 0 for none |
    /// | `maxConcurrentRequests` | the requests at a time to an origin; eight times that in all |
    ///
    /// A key that is absent leaves the client's default. Other keys are ignored, also misspelled
    /// ones: an `AccessReporter` shows what is read.
    ///
    /// - Parameters:
    ///   - config: The reader. Secrets are read as secrets, so that access reporters redact them.
    ///   - transport: The session below all layers.
    ///   - configure: Sets what the keys do not.
    /// - Throws: `invalidRequest` for a value that is not of its kind. The error names the key, and
    ///   never shows a value that is secret.
    public init(
        config: ConfigReader, transport: any HTTPSession = standardTransport,
        configure: (inout Configuration) -> Void = { _ in }
    ) throws(HTTPError) {
        let keys = Keys(config: config)
        var configuration = Configuration()
        if let text = config.string(forKey: "baseURL") {
            configuration.baseURL = try HTTPClient(baseURL: text).configuration.baseURL
        }
        if let agent = config.string(forKey: "userAgent") {
            try configuration.headers.set(.userAgent, agent)
        }
        if let token = config.string(forKey: "bearerToken", isSecret: true) {
            guard let baseURL = configuration.baseURL else {
                throw HTTPError(.invalidRequest, "the key bearerToken needs the key baseURL")
            }
            let origin = try HTTPOrigin(baseURL)
            configuration.authentication = [BearerAuthentication(for: origin) { token }]
        }
        configuration.deadline = try keys.seconds("deadlineSeconds")
        let limit = { (key: ConfigKey) throws(HTTPError) -> HTTPTimeouts.Limit in
            try keys.seconds(key).map { .after($0) } ?? .standard
        }
        configuration.timeouts.connect = try limit("connectTimeoutSeconds")
        configuration.timeouts.idle = try limit("idleTimeoutSeconds")
        configuration.timeouts.total = try limit("totalTimeoutSeconds")
        if let retries = try keys.number("maxRetries", atLeast: 0), retries > 0 {
            configuration.retry = .standard
            configuration.retry.maxRetries = Int(retries)
        }
        if let count = try keys.number("maxConcurrentRequests", atLeast: 1) {
            configuration.concurrencyLimit = ConcurrencyLimit(
                perOrigin: Int(count), total: Int(count) * 8)
        }
        configure(&configuration)
        self.init(configuration, transport: transport)
    }
}

private struct Keys {
    let config: ConfigReader

    func seconds(_ key: ConfigKey) throws(HTTPError) -> Duration? {
        guard let seconds = try value(key) else { return nil }
        guard seconds > 0, seconds <= 1e9 else {
            throw HTTPError(.invalidRequest, "the key \(key) takes seconds above zero")
        }
        return .seconds(seconds)
    }

    func number(_ key: ConfigKey, atLeast minimum: Double) throws(HTTPError) -> Double? {
        guard let number = try value(key) else { return nil }
        guard number >= minimum, number <= 1e6, number == number.rounded() else {
            throw HTTPError(
                .invalidRequest, "the key \(key) takes an integer of at least \(Int(minimum))")
        }
        return number
    }

    /// Returns the number of a key, `nil` if it is absent. A reader returns `nil` for a value of
    /// another kind, too, so the other kinds are asked for.
    private func value(_ key: ConfigKey) throws(HTTPError) -> Double? {
        if let number = config.double(forKey: key) { return number }
        if let number = config.int(forKey: key) { return Double(number) }
        let text = config.string(forKey: key)
        if let number = text.flatMap({ Double($0) }) { return number }
        guard text == nil, config.bool(forKey: key) == nil else {
            throw HTTPError(.invalidRequest, "the value of the key \(key) is not a number")
        }
        return nil
    }
}
