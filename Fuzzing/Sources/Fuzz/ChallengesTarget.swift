import FoundationEssentials
import HTTPCore
import HTTPFormats

extension FuzzTarget {
    /// Challenges that were read can be written, and read back equal.
    static let challenges = Self("challenges") { bytes in
        let line = bytes.text
        let challenges = AuthenticationChallenge.challenges(in: line)
        for challenge in challenges {
            require(HTTPHeaderName(challenge.scheme).isToken, "a scheme is not a token")
            require(
                challenge.token68 == nil || challenge.parameters.isEmpty,
                "a challenge has both kinds of content")
            for parameter in challenge.parameters {
                require(HTTPHeaderName(parameter.name).isToken, "a name is not a token")
                require(challenge[parameter.name] == parameter.value, "a name occurs twice")
            }
            _ = challenge.realm
        }
        requireRoundTrip(
            challenges, { $0.map(write).joined(separator: ", ") },
            { AuthenticationChallenge.challenges(in: $0) })
        // A broken challenge does not remove the challenges before it.
        let longer = AuthenticationChallenge.challenges(
            in: challenges.map(write).joined(separator: ", ") + (challenges.isEmpty ? "" : ", ")
                + "New @")
        require(longer == challenges, "a broken challenge changes those before it")
    }

    private static func write(_ challenge: AuthenticationChallenge) -> String {
        let content =
            challenge.token68
            ?? challenge.parameters.map { "\($0.name)=\(quoted($0.value))" }.joined(separator: ", ")
        return content.isEmpty ? challenge.scheme : "\(challenge.scheme) \(content)"
    }
}
