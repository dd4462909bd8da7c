public import HTTPCore

extension HTTPError.Code {
    /// No stub and no recorded exchange answers the request. The message says how the nearest one
    /// differs.
    public static var notStubbed: Self { Self(rawValue: "notStubbed") }
    /// Some stubs or recorded exchanges were not used; the message lists them.
    public static var notAllUsed: Self { Self(rawValue: "notAllUsed") }
}
