public import HTTPCore

extension HTTPError.Code {
    /// The content has a media type that the request does not accept, or none at all.
    public static var unexpectedContentType: Self { Self(rawValue: "unexpectedContentType") }
}
