import ArgumentParser
import HTTPClientKit

/// The arguments for credentials. They are for the URL's origin, and sent to no other.
struct AuthenticationArguments: ParsableArguments {
    @Option(
        name: [.customShort("u"), .customLong("user")], parsing: .unconditional,
        help: ArgumentHelp(
            """
            The credentials for the URL's origin, sent when it asks for them, with the stronger of \
            Digest and Basic that it offers. Other origins get none. The URL may contain them, too.
            """, valueName: "name:password"))
    var user: String?

    enum Scheme: String, EnumerableFlag {
        case basic, digest, anyauth

        static func help(for value: Self) -> ArgumentHelp? {
            switch value {
            case .basic: "Send the credentials with Basic at once, without being asked."
            case .digest: "Send the credentials with Digest only."
            case .anyauth: "Send the credentials with what the server asks for; the default."
            }
        }
    }

    @Flag var scheme: Scheme?

    @Flag(help: "Send the password for Basic over http, too, where others can read it.")
    var unencryptedPassword = false

    @Flag(
        name: [.customShort("n"), .long, .customLong("netrc-optional")],
        help: "Take the credentials from ~/.netrc, or from the file in NETRC.")
    var netrc = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Take the credentials from this netrc file.", valueName: "file"))
    var netrcFile: String?

    @Option(
        name: .customLong("oauth2-bearer"), parsing: .unconditional,
        help: ArgumentHelp("The bearer token for the URL's origin.", valueName: "token"))
    var bearer: String?

    func validate() throws {
        if let user, !user.contains(":") {
            throw ValidationError("-u takes 'name:password', but the argument has no colon")
        }
        guard bearer == nil || user == nil else {
            throw ValidationError("the request has one kind of credentials: -u or --oauth2-bearer")
        }
    }

    /// The part of the arguments that names the user, for a cache.
    var userName: String? { user?.prefix { $0 != ":" }.description }

    /// Returns the layers that add credentials to a request.
    ///
    /// - Parameter userInfo: The credentials in the URL, which those of `-u` replace.
    func layers(
        for request: HTTPRequest, userInfo: String?
    ) throws -> [any HTTPClientMiddleware] {
        let origin = try HTTPOrigin(request.url)
        if let bearer { return [BearerAuthentication(for: origin) { bearer }] }
        if let text = user ?? userInfo {
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            let credentials = PasswordCredentials(
                user: String(text[..<colon]), password: String(text[colon...].dropFirst()),
                for: origin)
            return scheme == .basic
                ? [
                    try BasicAuthentication(
                        credentials, sendsPasswordUnencrypted: unencryptedPassword)
                ] : [challenges(credentials)]
        }
        guard netrc || netrcFile != nil else { return [] }
        return [
            challenges(NetrcFile(netrcFile, ports: [origin.port], options: .defaultForAnyHost))
        ]
    }

    private func challenges(_ provider: any PasswordProvider) -> ChallengeAuthentication {
        ChallengeAuthentication(
            provider, schemes: schemes, sendsPasswordUnencrypted: unencryptedPassword)
    }

    private var schemes: Set<AuthenticationScheme> {
        switch scheme {
        case .basic: [.basic]
        case .digest: Set(AuthenticationScheme.allCases).subtracting([.basic])
        case .anyauth, nil: Set(AuthenticationScheme.allCases)
        }
    }
}
