/// The watch over an HTTP/3 connection that a request waits on. Its server may have lost it.
enum QUICWatch: Equatable {
    case none
    /// No response has come for long. The connection was last examined at this time, in the loop's
    /// nanoseconds.
    case suspected(at: Int64)
    /// Something has come over the connection since the request was sent.
    case heard
    /// No further exchange uses the connection, because it seems to be lost.
    case givenUp(at: Int64)
}
