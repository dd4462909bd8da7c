public import HTTPCore

extension HTTPError.Code {
    /// A cookie that no server could set. The message names the part that is invalid.
    public static var invalidCookie: Self { Self(rawValue: "invalidCookie") }
    /// A cookie file that cannot be read, is not a cookie file, belongs to another user, or can be
    /// changed by all users.
    public static var cookiesNotRead: Self { Self(rawValue: "cookiesNotRead") }
    /// The cookies could not be written to their file. They are still in memory.
    public static var cookiesNotSaved: Self { Self(rawValue: "cookiesNotSaved") }
}
