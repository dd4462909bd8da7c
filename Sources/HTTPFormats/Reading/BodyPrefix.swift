package import HTTPCore
package import PortableFoundation

extension HTTPResponse {
    /// Returns the bytes that an error about this response keeps. Discards the rest, as
    /// ``bodyPrefix(upTo:patience:on:)`` does.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func errorBody() async throws(CancellationError) -> Data {
        try await bodyPrefix(
            upTo: originalRequest.errorBodyLimit,
            on: originalRequest.call?.clock ?? HTTPSystemClock())
    }

    /// Returns the same error, with the beginning of this response's body if it is about this
    /// response. Discards the rest.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    package func explaining(_ error: any Error) async throws(CancellationError) -> any Error {
        guard let error = error as? HTTPError, error.bodyPrefix == nil,
            error.response?.status == status, error.response?.url == url
        else {
            await discard()
            return error
        }
        return error.keeping(bodyPrefix: try await errorBody())
    }

    /// Returns the first bytes of the body that arrive in time. Discards the rest and frees the
    /// connection.
    ///
    /// - Parameter patience: The limit on the wait for the body, on `clock`.
    package func bodyPrefix(
        upTo limit: Int, patience: Duration = .seconds(5), on clock: any HTTPClock
    ) async throws(CancellationError) -> Data {
        if let bytes = body.bytes { return Data(bytes.prefix(max(0, limit))) }
        let (read, _) = await limited(until: clock.now + patience, on: clock) {
            await withTaskCancellationHandler {
                var read = Data()
                var iterator = body.makeAsyncIterator()
                while read.count < limit, let piece = try? await iterator.next() {
                    read += piece.prefix(limit - read.count)
                }
                await body.discard()
                withExtendedLifetime(iterator) {}  // dropping it would cut the connection
                return read
            } onCancel: {
                body.abandon()
            }
        }
        if Task.isCancelled { throw CancellationError() }
        return (try? read.get()) ?? Data()  // the work does not fail
    }
}
