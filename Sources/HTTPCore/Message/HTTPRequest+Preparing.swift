extension HTTPRequest {
    /// This request with a last change, made each time it is sent: to a signature, a date, a token.
    ///
    /// `change` runs on what all layers above have made of the request, after the changes asked for
    /// before it, once per attempt and not once per call (see ``prepared()``). It sees no changes to
    /// come and may not add any. What it throws is what sending throws.
    public func modify(
        _ change: @escaping @Sendable (inout HTTPRequest) throws -> Void
    ) -> HTTPRequest {
        var copy = self
        copy[Changes.self].append(change)
        return copy
    }

    /// The request as a transport sends it: the last step, after which nothing is left to change.
    ///
    /// Runs what ``modify(_:)`` asked for, and sees to it that `Content-Type` names the boundary of a
    /// multipart body. Whoever sends several times prepares the same original each time; transports
    /// prepare what nobody above them did. Preparing twice is preparing once.
    ///
    /// - Throws: what a change throws, an error of another type inside `preparationFailed`;
    ///   `invalidRequest` when `Content-Type` names another boundary than the body's.
    public func prepared() throws -> HTTPRequest {
        guard mayNeedPreparing else { return self }
        let changes = self[Changes.self]
        guard !changes.isEmpty || implied?.fittingContentType != nil else { return self }
        var request = self
        request.options.remove(Changes.self)
        do {
            for change in changes { try change(&request) }
        } catch let error as HTTPError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            throw HTTPError(
                .preparationFailed,
                "a change that the request was to be sent with failed: \(type(of: error))",
                phase: .preparing, underlyingError: error)
        }
        guard request[Changes.self].isEmpty else {
            throw HTTPError(
                .invalidRequest,
                "a change asked for by modify(_:) asked for another: make both in one closure")
        }
        if let fitting = request.implied?.fittingContentType {
            try request.fitContentType(fitting)
        }
        return request
    }

    private mutating func fitContentType(
        _ fitting: ImpliedFields.ContentTypeFitting
    ) throws(HTTPError) {
        let present = headers[.contentType]
        guard let contentType = fitting(present) else {
            throw HTTPError(
                .invalidRequest,
                "Content-Type names another boundary than the body has: give it to the form instead"
            )
        }
        if contentType != present { headers[.contentType] = contentType }
    }

    private enum Changes: HTTPRequestOption {
        static let defaultValue: [@Sendable (inout HTTPRequest) throws -> Void] = []
    }
}

extension HTTPError.Code {
    /// A change that ``HTTPRequest/modify(_:)`` asked for threw; its error is inside.
    public static var preparationFailed: Self { Self(rawValue: "preparationFailed") }
}
