/// A source whose bytes come from a writer, which learns why no more of them are sent.
package protocol WrittenSource: HTTPBodySource {
    /// Notes that a transport is going to read the body.
    func willBeRead()

    /// Notes that an exchange has ended without reading the body. Another one may read it.
    func leave(because reason: HTTPError)

    /// Ends the body unless it has been read to its end, and gives the writer the reason.
    func end(because reason: HTTPError)
}

extension HTTPBody {
    /// Notes that the body will be read, for a transport that reads it in another task.
    package func willBeRead() { writtenSource?.willBeRead() }

    /// Tells the writer of a body that is being sent why no more of it is sent. Called by
    /// transports. A body that was not read yet may be sent by another attempt, and does not end
    /// before the call has its response.
    package func endWriting(because reason: @autoclosure () -> HTTPError) {
        guard let source = writtenSource else { return }
        if canBeSent { source.leave(because: reason()) } else { source.end(because: reason()) }
    }

    package var writtenSource: (any WrittenSource)? { streamSource as? any WrittenSource }
}

/// `true` if the response must be readable before the request's body has ended. A transport that
/// reads a body to its end before it sends refuses such a request.
package enum NeedsDuplex: HTTPRequestOption {
    package static var defaultValue: Bool { false }
}
