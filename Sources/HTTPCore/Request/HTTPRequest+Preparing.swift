extension HTTPRequest {
    /// Returns this request with a final change, such as a signature, a date or a token, that is
    /// made each time the request is sent.
    ///
    /// `change` runs after all other layers have changed the request, and after the changes that
    /// were added before it. It runs once per attempt, not once per call. See ``prepared()``. It
    /// does not see later changes and must not add any. An error that `change` throws makes sending
    /// fail.
    public func modify(
        _ change: @escaping @Sendable (inout HTTPRequest) throws -> Void
    ) -> HTTPRequest {
        var copy = self
        copy[Changes.self].append(change)
        return copy
    }

    /// Returns the request as a transport sends it. This is the last step before sending.
    ///
    /// Runs the changes of ``modify(_:)``, and ensures that `Content-Type` names the boundary of a
    /// multipart body. A layer that sends several times prepares the same original each time.
    /// Transports prepare requests that no layer above has prepared; preparing a request twice has
    /// no further effect.
    ///
    /// - Throws: The error of a change, inside `preparationFailed` if it is neither an `HTTPError`
    ///   nor a `CancellationError`; `invalidRequest` if `Content-Type` names a boundary other than
    ///   the body's, or if a change adds another change.
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
                "a change added with modify(_:) failed: \(type(of: error))",
                phase: .preparing, underlyingError: error)
        }
        guard request[Changes.self].isEmpty else {
            throw HTTPError(
                .invalidRequest,
                "a change added with modify(_:) added another: make both in one closure")
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
                "Content-Type names a boundary other than the body's: set that one on the form")
        }
        if contentType != present { headers[.contentType] = contentType }
    }

    private enum Changes: HTTPRequestOption {
        static let defaultValue: [@Sendable (inout HTTPRequest) throws -> Void] = []
    }
}
