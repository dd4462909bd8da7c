public import HTTPCore

extension HTTPError.Code {
    /// More pages than the limit allows, or a page that was requested before.
    public static var tooManyPages: Self { Self(rawValue: "tooManyPages") }
    /// A pipeline could not adapt its request, and nothing was sent. `HTTPPipelineFailure` has
    /// the request and the error.
    public static var adaptingFailed: Self { Self(rawValue: "adaptingFailed") }
    /// Another download writes to the same path, in this process or another one.
    public static var fileBusy: Self { Self(rawValue: "fileBusy") }
    /// A call that blocks its thread was made from within a task; nothing was sent.
    public static var blocksTask: Self { Self(rawValue: "blocksTask") }
}
