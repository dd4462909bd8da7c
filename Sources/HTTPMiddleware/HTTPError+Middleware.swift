public import HTTPCore

extension HTTPError.Code {
    /// A redirect that the rules, the request or the session do not allow.
    public static var redirectRefused: Self { Self(rawValue: "redirectRefused") }
    /// More redirects than allowed, or a redirect loop.
    public static var tooManyRedirects: Self { Self(rawValue: "tooManyRedirects") }
    /// An identical request was under way, and the mode was to drop this one in that case.
    public static var droppedAsDuplicate: Self { Self(rawValue: "droppedAsDuplicate") }
    /// A password was not sent, because it could have been read on the way.
    public static var passwordWithheld: Self { Self(rawValue: "passwordWithheld") }
    /// A netrc file that cannot be read, is readable by others, or is not understood.
    public static var invalidNetrc: Self { Self(rawValue: "invalidNetrc") }
}
