public import HTTPCore
public import PortableFoundation

/// Writes the body of a request while the request is being sent.
///
/// `HTTPBody.makeWritable(length:)` makes a writer with its body.
/// `withDuplex(for:length:_:)` also sends the request, and is the better choice for
/// code that reads the response while it writes.
///
/// The body ends in one of three ways: complete with ``finish()``, failed with ``fail(_:)``, or cut
/// because its exchange needs no more of it. The first end counts. If the writer is released before
/// an end, the body fails, so half a body never looks like a complete one.
///
/// Any number of tasks may share a writer. Their pieces are sent in the order of the calls, and no
/// piece is divided by another one.
public final class HTTPBodyWriter: Sendable {
    private let source: WrittenBodySource

    init(_ source: WrittenBodySource) { self.source = source }

    deinit {
        source.fail(
            HTTPError(
                .requestBodyFailed, "the writer of the body was released before finish()",
                phase: .sending, mayHaveReachedServer: true))
    }

    /// Waits until the body has room for `piece`, and adds it.
    ///
    /// At most 64 KiB wait for the transport, or one piece if it is longer. A transport has a
    /// buffer of its own, so the bytes may be on their way when this returns, but the server may
    /// not have received them. Small pieces may reach the transport joined into one.
    ///
    /// If the calling task is cancelled, the piece is either added as a whole, and this returns, or
    /// not at all, and this throws `CancellationError`. The writer remains usable. A cancelled
    /// write that was still waiting at ``finish()`` makes the body fail.
    ///
    /// - Throws: `requestBodyEnded` if the body has ended. The message says why, the error that
    ///   ended the exchange is inside, and so is the head of a response that came early.
    ///   `requestBodyFailed` if the body would be longer than its declared length; the body then
    ///   fails.
    public func write(_ piece: Data) async throws { try await source.write(piece) }

    /// Writes the text in UTF-8. See ``write(_:)-(Data)``.
    public func write(_ text: String) async throws { try await source.write(Data(text.utf8)) }

    /// Ends the body after all pieces so far. Has no effect if the body has ended already.
    ///
    /// Does not wait until they are sent. The response shows whether the request was accepted.
    ///
    /// - Throws: `requestBodyFailed` if the body is shorter than its declared length; the body then
    ///   fails.
    public func finish() throws(HTTPError) { try source.finish() }

    /// Ends the body as incomplete. Has no effect if the body has ended already.
    ///
    /// The exchange fails with `requestBodyFailed` and this error inside, and its connection is
    /// closed, or its stream over HTTP/2 and HTTP/3. Bytes that have not been sent are dropped.
    public func fail(_ error: any Error) { source.fail(error) }

    /// Ends the body because its exchange has ended.
    func end(because reason: HTTPError) { source.end(because: reason) }

    /// Ends the body because its exchange has ended, and no transport has read it.
    func endUnread(because reason: HTTPError) { source.endUnread(because: reason) }

    /// Ends the body, now or later, with the end of an exchange that does not read it: no other
    /// exchange will.
    func willNotBeSentAgain() { source.willNotBeSentAgain() }

    /// `true` if the body has ended, but not with ``finish()``.
    var isBroken: Bool { source.isBroken }

    /// The number of writes that wait, for tests.
    package var waitingCount: Int { source.waitingCount }
}

extension HTTPBody {
    /// Creates a one-shot body, and the writer of its bytes.
    ///
    /// Send the request in one task and write in another: the response may come only after a part
    /// of the body, or after all of it, and a write may have to wait until the request is sent.
    ///
    /// ```swift
    /// let (body, writer) = HTTPBody.makeWritable()
    /// async let response = session.response(for: HTTPRequest(.put, url).body(body))
    /// try await writer.write("first")
    /// try writer.finish()
    /// ```
    ///
    /// A request that fails before its body is read, for example because there is no connection, or
    /// that is refused when it asks with `Expect: 100-continue`, leaves the body unread. A retry
    /// may still send it, and a write waits until the last copy of the body is released, with that
    /// of the response. So keep no copy of the body or its request.
    ///
    /// - Parameter length: The length in bytes, if it is known. Otherwise the body is sent in
    ///   chunks over HTTP/1.1.
    public static func makeWritable(
        length: Int64? = nil
    ) -> (body: HTTPBody, writer: HTTPBodyWriter) {
        let source = WrittenBodySource(declaredLength: length)
        return (HTTPBody(source: source, length: length), HTTPBodyWriter(source))
    }
}
