import HTTPCore
import HTTPFormats
import PortableFoundation

/// The successful response of a token endpoint (RFC 6749 §5.1), as far as the client credentials
/// grant needs it: a bearer token and its life.
struct OAuthTokenResponse: Sendable {
    let credential: HTTPCredential

    /// - Parameter date: The date from which the life counts.
    /// - Throws: `refreshFailed`, with none of the values.
    init(_ body: Data, at date: Date) throws(HTTPError) {
        guard let members = try? HTTPJSON(parsing: body), members.object != nil else {
            throw Self.refusal("it is not a JSON object")
        }
        guard let type = members["token_type"]?.string else {
            throw Self.refusal("it has no token_type")
        }
        guard type.asciiLowercased == "bearer" else {
            throw Self.refusal("its token_type is \(type.logSafe), and only Bearer can be used")
        }
        guard let token = members["access_token"]?.string else {
            throw Self.refusal("it has no access_token")
        }
        let life = try Self.life(members["expires_in"])
        do throws(HTTPError) {
            credential = try .bearer(token, expiry: life.map { date + $0 })
        } catch {
            throw Self.refusal("its access_token is empty, or has characters that no token has")
        }
    }

    /// Returns the life in seconds, or `nil` if it is not known.
    private static func life(_ member: HTTPJSON?) throws(HTTPError) -> Double? {
        let seconds: Double?
        switch member {
        case nil, .null: return nil
        case .number(let number): seconds = number.double
        // Some servers write the number as a string.
        case .string(let text) where text.utf8.allSatisfy(\.isASCIIDigit): seconds = Double(text)
        default: seconds = nil
        }
        guard let seconds, seconds > 0, seconds.isFinite else {
            throw refusal("its expires_in is not a positive number of seconds")
        }
        return min(seconds, ServerTime.longestCredentialLife.inSeconds)
    }

    private static func refusal(_ reason: String) -> HTTPError {
        HTTPError(.refreshFailed, "the response of the token endpoint cannot be used: \(reason)")
    }
}

extension OAuthTokenResponse: CustomStringConvertible, CustomReflectable {
    var description: String { "\(credential)" }
    var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
