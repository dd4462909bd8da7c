public import HTTPCore

/// A request whose body is written while its response is read. See
/// `withDuplex(for:length:_:)`.
public struct HTTPDuplex: Sendable {
    /// The writer of the request's body.
    public let writer: HTTPBodyWriter
    private let arrival: DuplexArrival

    fileprivate init(_ writer: HTTPBodyWriter, _ arrival: DuplexArrival) {
        self.writer = writer
        self.arrival = arrival
    }

    /// The response, as soon as its head has arrived. Any task may wait for it, more than once.
    ///
    /// Many servers respond only after they have received a part of the body, so write first.
    ///
    /// - Throws: The error of the request, or `CancellationError` as soon as the calling task is
    ///   cancelled.
    public var response: HTTPResponse {
        get async throws { try await arrival.response() }
    }
}

extension HTTPSession {
    /// Sends a request and calls `converse`, which writes the body while it reads the response.
    ///
    /// The request is sent in a task of its own, so `converse` can write before there is a response
    /// and wait for the response when it likes. To end the exchange in order, call
    /// ``/HTTPFormats/HTTPBodyWriter/finish()`` and read the response to its end. When `converse`
    /// returns, the body ends unless it has ended, and the rest of the response is discarded, which
    /// closes the connection if the rest is long or its length is unknown: the server may then see
    /// an incomplete body. When `converse` throws, the body fails, and the exchange is aborted.
    ///
    /// If the exchange fails, or the server refuses the request, all writes and waits end with an
    /// error. A client that accepts no error statuses throws its error here, also if a write has
    /// failed first.
    ///
    /// A server may stop reading while its own bytes are not read. To write much before you read,
    /// write in a task of its own. If both sides wait for each other, only a deadline ends the
    /// exchange: ``/HTTPCore/HTTPTimeouts/idle`` rests while received bytes wait for the reader,
    /// and while the transport waits for the writer.
    ///
    /// - Parameters:
    ///   - request: A request without a body, whose delivery is `.streamed`.
    ///   - length: The length of the body in bytes, if it is known.
    ///   - converse: A closure that writes and reads.
    /// - Throws: `invalidRequest` if the request has a body or its delivery is buffered;
    ///   `unsupportedOption` if the transport sends a body only once it is complete, such as
    ///   `URLSessionTransport`; `requestBodyFailed` if `converse` returns before the declared
    ///   length was written; the error of the request; the error of `converse`.
    public func withDuplex<Result>(
        for request: any HTTPRequestConvertible, length: Int64? = nil,
        _ converse: (HTTPDuplex) async throws -> Result
    ) async throws -> Result {
        let (unsent, writer) = try DuplexRequest.make(try request.httpRequest, length: length)
        let arrival = DuplexArrival(writer)
        async let _ = arrival.settle { try await response(for: try unsent.take()) }
        do {
            let result = try await converse(HTTPDuplex(writer, arrival))
            try writer.finish()
            await (try arrival.response()).discard()
            return result
        } catch let error as HTTPError where error.code == .requestBodyEnded && writer.isBroken {
            // A write has failed because the exchange has ended, whose own error says more. The
            // error of another writer is none of this exchange.
            let outcome = await arrival.outcome()
            arrival.giveUp(because: error)
            _ = try outcome.get()
            throw error
        } catch {
            arrival.giveUp(because: error)
            throw error
        }
    }
}
