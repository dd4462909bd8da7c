public import HTTPCore
import HTTPFormats
import HTTPRetry
public import PortableFoundation

/// The result of a request to a service whose responses have one type for success and another for
/// errors.
///
/// The body of a response with a successful status is decoded as `Success`, else as
/// `ErrorResponse`. An empty body is neither: it is the failure `emptyResponse`, or `nil` if
/// `Success` is an `Optional`. With any other status the body is only decoded as `ErrorResponse`.
/// An error type without required members decodes from any JSON, so give it one.
public enum HTTPAnswer<Success: Sendable, ErrorResponse: Sendable>: Sendable {
    /// The status was successful, and the body is of the success type.
    case success(Success)
    /// The service's error value, and the call's error: `unexpectedStatus` or, with a successful
    /// status, `errorResponse`. The call's error has status, head and body; its
    /// `underlyingError` is the value, or an ``HTTPErrorResponse`` if the value is no `Error`.
    case errorResponse(ErrorResponse, HTTPError)
    /// Any other failure: no response, one that validators do not accept, or a body of neither
    /// type, with ``HTTPDecodingFailures`` as `underlyingError`.
    case failure(any Error)

    /// Returns the value of a success, or throws the call's error.
    public func get() throws -> Success {
        switch self {
        case .success(let success): return success
        case .errorResponse(_, let error): throw error
        case .failure(let error): throw error
        }
    }
}

/// A service's error value that is no `Error`, as an `underlyingError`.
public struct HTTPErrorResponse<Value: Sendable>: Error {
    /// The value that the service has sent.
    public var value: Value
}

/// The errors of a body that is of neither type.
public struct HTTPDecodingFailures: Error, Sendable {
    /// The error of the success type, or `nil` if the status was not successful.
    public var success: (any Error)?
    /// The error of the error type.
    public var errorResponse: any Error
    /// The status of the response.
    public var status: HTTPStatus
    /// The whole body.
    public var body: Data
}

extension HTTPSession {
    /// Returns the body decoded from JSON as one of two types. See ``/HTTPValidation/HTTPAnswer``.
    /// Cancellation is a failure with `CancellationError`.
    ///
    /// A success type may also be `String`, `Data` or a ``/HTTPCore/HTTPResponseConvertible`` type.
    ///
    /// - Parameters:
    ///   - success: The type of the body with a successful status.
    ///   - errorResponse: The type of the body with any other status.
    ///   - request: The request to send.
    ///   - decoder: The decoder, or `nil` for that of the client in this session.
    @concurrent public func answer<Success, ErrorResponse>(
        _ success: Success.Type, orError errorResponse: ErrorResponse.Type,
        for request: any HTTPRequestConvertible, decoder: JSONDecoder? = nil
    ) async -> HTTPAnswer<Success, ErrorResponse>
    where Success: Decodable & Sendable, ErrorResponse: Decodable & Sendable {
        typealias Answer = HTTPAnswer<Success, ErrorResponse>
        do {
            // The error's body is to be decoded, too.
            let request = try request.httpRequest.readWholeInErrors
            let response = try await self.response(for: request)
            guard response.status.isSuccessful else {
                let error = HTTPError.unexpectedStatus(response.head)
                return Answer(
                    error.ending(response, timeline: response.timeline),
                    try await response.data(), response.decoder(or: decoder))
            }
            return try await Answer(response, response.decoder(or: decoder))
        } catch let error as HTTPError {
            guard error.code == .unexpectedStatus,
                error.response?.status.isSuccessful == false, let body = error.bodyPrefix
            else { return .failure(error) }
            return Answer(error, body, decoder ?? error[DefaultDecoder.self] ?? JSONDecoder())
        } catch {
            return .failure(error)
        }
    }

    /// Returns the success value, or throws. See ``answer(_:orError:for:decoder:)``.
    @concurrent public func response<Success, ErrorResponse>(
        _ success: Success.Type, orError errorResponse: ErrorResponse.Type,
        for request: any HTTPRequestConvertible, decoder: JSONDecoder? = nil
    ) async throws -> Success
    where Success: Decodable & Sendable, ErrorResponse: Decodable & Sendable {
        try await answer(success, orError: errorResponse, for: request, decoder: decoder).get()
    }
}

extension HTTPAnswer where Success: Decodable, ErrorResponse: Decodable {
    /// Decodes the body of a response with a successful status.
    fileprivate init(_ response: HTTPResponse, _ decoder: JSONDecoder) async throws {
        let body = try await response.data()
        let decodingError: any Error
        do {
            self = .success(try await Self.success(response, body, decoder))
            return
        } catch let error as CancellationError {
            throw error
        } catch let error as HTTPError where error.code == .emptyResponse {
            self = .failure(error.ending(response, timeline: response.timeline))
            return
        } catch {
            decodingError = error
        }
        do {
            let value = try decoder.value(ErrorResponse.self, from: body)
            let error = HTTPError(
                .errorResponse, "the service answers \(response.status.code) with its error type",
                mayHaveReachedServer: true, response: response.head)
            self = .errorResponse(
                value, error.ending(response, timeline: response.timeline).carrying(value, body)
            )
        } catch {
            let failures = HTTPDecodingFailures(
                success: decodingError, errorResponse: error, status: response.status, body: body)
            let error = HTTPError(
                .decodingFailed,
                "the \(body.count) bytes of this \(response.status.code) are neither "
                    + "\(Success.self)\(decodingError.decodingClause); "
                    + "nor \(ErrorResponse.self)\(error.decodingClause)",
                mayHaveReachedServer: true, response: response.head)
            self = .failure(
                error.ending(response, timeline: response.timeline)
                    .keeping(bodyPrefix: body, underlyingError: failures))
        }
    }

    private static func success(
        _ response: HTTPResponse, _ body: Data, _ decoder: JSONDecoder
    ) async throws -> Success {
        if let type = Success.self as? any HTTPResponseConvertible.Type,
            let value = try await type.convert(from: response) as? Success
        {
            return value
        }
        if let value = try response.emptyValue(Success.self, body) { return value }
        return try decoder.value(Success.self, from: body)
    }

    /// Decodes the body of a response without a successful status.
    fileprivate init(_ error: HTTPError, _ body: Data, _ decoder: JSONDecoder) {
        do {
            let value = try decoder.value(ErrorResponse.self, from: body)
            self = .errorResponse(value, error.carrying(value, body))
        } catch let decodingError {
            guard let status = error.response?.status else {
                self = .failure(error)
                return
            }
            let failures = HTTPDecodingFailures(
                success: nil, errorResponse: decodingError, status: status, body: body)
            self = .failure(error.keeping(bodyPrefix: body, underlyingError: failures))
        }
    }
}

extension HTTPError {
    fileprivate func carrying(_ value: some Sendable, _ body: Data) -> HTTPError {
        keeping(
            bodyPrefix: body,
            underlyingError: value as? any Error ?? HTTPErrorResponse(value: value))
    }
}

extension HTTPErrorResponse: CustomStringConvertible, CustomReflectable {
    /// The type only: a service's error may repeat what it received.
    public var description: String { "\(Value.self)" }
    public var customMirror: Mirror { Mirror(self, children: ["type": description]) }
}

extension HTTPDecodingFailures: CustomStringConvertible, CustomReflectable {
    /// A description without the body's content, which decoding errors repeat.
    public var description: String { "\(body.count) bytes of a \(status.code) were not decoded" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension HTTPErrorResponse: LocalizedError {
    public var errorDescription: String? { description }
}

extension HTTPDecodingFailures: LocalizedError {
    public var errorDescription: String? { description }
}
