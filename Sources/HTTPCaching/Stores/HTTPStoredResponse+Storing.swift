import HTTPCore

extension HTTPStoredResponse {
    /// The most variants of one key that a store keeps. The one with the oldest response date goes.
    static let variantLimit = 16

    /// Returns this response after a revalidation: with another header section, dates and trailers.
    func updated(with update: HTTPStoredResponse) -> Self {
        HTTPStoredResponse(
            id: id, status: status, headers: update.headers, selectingFields: selectingFields,
            variant: variant, requestDate: update.requestDate, responseDate: update.responseDate,
            bodyLength: bodyLength, trailers: update.trailers)
    }
}
