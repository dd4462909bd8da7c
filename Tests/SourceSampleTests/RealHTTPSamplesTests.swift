import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

/// The samples of RealHTTP's "Advanced HTTP Client".
@Suite(.timeLimit(.minutes(5))) struct RealHTTPSamplesTests {
    private let clock = BriskClock()

    /// Responds in order, and repeats the last response for ever.
    private func answering(_ answers: (HTTPStatus, String)...) -> MockSession {
        let rest = Locked(answers)
        return MockSession { request in
            let (status, body) = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return HTTPResponse(status, body: HTTPBody(body), to: request)
        }
    }

    private func client(
        _ transport: MockSession, _ validators: [any HTTPValidator]
    ) throws -> HTTPClient {
        try HTTPClient(baseURL: "https://ws.org/", transport: transport, validators: validators) {
            $0.clock = clock
        }
    }

    // MARK: Custom clients

    @Test(.rows("S0-1", "S0-2", "S0-3"))
    func `a client has a base and fields that all its requests get`() async throws {
        let mock = answering((.ok, ""))
        let b2cClient = try HTTPClient(
            baseURL: "https://myappb2c.ws.org/api/v2/", transport: mock,
            headers: [.userAgent: "myapp/1.0", "X-API-Experimental": "true"])
        try await b2cClient.get("books").response()
        try await b2cClient.post("books", json: ["title": "Solaris"]).response()
        let urls = mock.requests.map(\.url.absoluteString)
        #expect(urls == Array(repeating: "https://myappb2c.ws.org/api/v2/books", count: 2))
        for request in mock.requests {
            #expect(request.headers[.userAgent] == "myapp/1.0")
            #expect(request.headers["X-API-Experimental"] == "true")
        }
    }

    // MARK: Verdicts

    private enum Shelf: HTTPRequestOption {
        static var defaultValue: String? { nil }
    }

    @Test(.rows("S0-6", "S0-7", "S0-8", "S0-9"))
    func `a validator passes on another response, and the next one checks that`()
        async throws
    {
        let shelving = ClosureValidator { response, _ in
            var response = response
            response[Shelf.self] = "scifi"
            return .nextWithResponse(response)
        }
        let shelved = ClosureValidator { response, _ in
            response[Shelf.self] == nil ? .invalid("on no shelf") : .next
        }
        let mock = answering((.ok, "Solaris"))
        let book = try await client(mock, [shelving, shelved]).get("book").response()
        #expect(book[Shelf.self] == "scifi")
        #expect(try await book.text() == "Solaris")
        let error = await #expect(throws: HTTPError.self) {
            try await client(mock, [shelved, shelving]).get("book").response()
        }
        #expect(error?.message == "on no shelf")
    }

    // MARK: Strategies

    @Test(
        .rows("S0-12", "S0-13", "S0-16", "S0-17", "S0-18", "S0-22"),
        arguments: [
            (.immediate, []), (.delayed(.seconds(2)), [2, 2, 2]),
            (.exponential(base: 2), [0.5, 1, 2]), (.fibonacci, [1, 1]),
            (.custom { Double($0.number) }, [1, 2, 3]),
        ] as [(HTTPRetryStrategy, [Double])])
    func `each strategy waits in its way before it sends again`(
        strategy: HTTPRetryStrategy, waits: [Double]
    ) async throws {
        let mock = answering((.serviceUnavailable, ""))
        let again = ClosureValidator { _, _ in .retry(strategy) }
        let error = await #expect(throws: HTTPError.self) {
            try await client(mock, [again]).get("books").maxRetries(3).response()
        }
        #expect(error?.code == .unexpectedStatus)
        #expect(error?.status == .serviceUnavailable)
        #expect(mock.requests.count == 4)
        #expect(clock.waits == waits.map { .seconds($0) })
    }

    // MARK: The alternative request

    @Test(.rows("S0-4", "S0-30", "S0-31", "S0-34"))
    func `a refused token is refreshed, and the request sent again with the new one`()
        async throws
    {
        let mock = MockSession { request in
            if request.url.path == "/refreshToken" {
                return HTTPResponse(.ok, body: HTTPBody("fresh"), to: request)
            }
            let isFresh = request.headers[.authorization] == "Bearer fresh"
            return HTTPResponse(isFresh ? .ok : .unauthorized, to: request)
        }
        let client = try HTTPClient(
            baseURL: "https://ws.org/", transport: mock,
            headers: [.authorization: "Bearer stale"])
        let authValidator = HTTPAltRequestValidator(statusCodes: [.unauthorized]) { _, _ in
            try HTTPRequest("https://ws.org/refreshToken")
        } onReceiveAltResponse: { _, response in
            let receivedToken = try await response.text()
            client.update { $0.headers[.authorization] = "Bearer \(receivedToken)" }
        }
        client.update { $0.validators.insert(authValidator, at: 0) }
        defer { client.update { $0.validators = [] } }  // they retain the client that retains them

        #expect(try await client.get("books").response().status == .ok)
        #expect(mock.requests.map(\.url.path) == ["/books", "/refreshToken", "/books"])
        #expect(mock.requests.last?.headers[.authorization] == "Bearer fresh")
        #expect(try await client.get("books").response().status == .ok)
        #expect(mock.requests.count == 4, "the next call begins with the new token")
    }

    // MARK: Custom validators

    private struct ServiceError: Error, Equatable {
        var message: String
    }

    private struct MyBadWSValidator: HTTPValidator {
        var bodyLimit: Int? { 1 << 20 }

        func verdict(
            on outcome: HTTPOutcome, of attempt: RetryAttempt
        ) async throws -> HTTPVerdict {
            guard case .success(let response) = outcome, let bytes = response.body.bytes else {
                return .next
            }
            guard let json = try? HTTPJSON(parsing: bytes) else {
                return .fail(ServiceError(message: "invalid response"))
            }
            guard json["code"]?.int == 0 else {
                return .fail(ServiceError(message: json["errorMsg"]?.string ?? "Unknown error"))
            }
            guard json["data"]?.object == nil else { return .next }
            return json["retriable"]?.bool == true
                ? .retry(.fibonacci) : .fail(ServiceError(message: "invalid response"))
        }
    }

    @Test(
        .rows("S0-10", "S0-36"),
        arguments: [
            ("<html>", "invalid response"), (#"{"code":0,"data":[1]}"#, "invalid response"),
            (#"{"code":1,"errorMsg":"no such book"}"#, "no such book"),
            (#"{"code":1}"#, "Unknown error"),
        ])
    func `an error that a bad web service sends with a 200 is thrown, and not sent again`(
        body: String, message: String
    ) async throws {
        let mock = answering((.ok, body))
        let client = try client(mock, [HTTPDefaultValidator(), MyBadWSValidator()])
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPRequest("books").maxRetries(3).fetch(client)
        }
        #expect(error?.code == .validationFailed)
        #expect(error?.underlyingError as? ServiceError == ServiceError(message: message))
        #expect(error?.status == .ok)
        #expect(mock.requests.count == 1)
    }

    @Test(.rows("S0-36"))
    func `a request to a bad web service is repeated if its response suggests it`()
        async throws
    {
        let later = #"{"code":0,"retriable":true}"#
        let mock = answering(
            (.ok, later), (.ok, later), (.ok, later), (.ok, #"{"code":0,"data":{"id":7}}"#))
        let client = try client(mock, [HTTPDefaultValidator(), MyBadWSValidator()])
        let result = try await HTTPRequest("books").maxRetries(3).fetch(client, HTTPJSON.self)
        #expect(result["data"]?["id"] == 7)
        #expect(mock.requests.count == 4)
        #expect(clock.waits == [.seconds(1), .seconds(1)])
    }

    // MARK: A silent login

    private struct SilentLoginValidator: HTTPValidator {
        let tokenRefreshRequest: HTTPRequest

        func verdict(
            on outcome: HTTPOutcome, of attempt: RetryAttempt
        ) async throws -> HTTPVerdict {
            guard case .success(let response) = outcome, response.status == .unauthorized else {
                return .next
            }
            return .retry(
                .after(tokenRefreshRequest, delay: .seconds(0.3)) { original, outcome in
                    let answer = try await outcome.get().json([String: String].self)
                    original.headers["X-Token"] = answer["token"]
                })
        }
    }

    /// Refuses requests for books without the token that it issued.
    private let library = MockSession { request in
        if request.url.path == "/login" {
            return HTTPResponse(.ok, body: HTTPBody(#"{"token":"fresh"}"#), to: request)
        }
        guard request.headers["X-Token"] == "fresh" else {
            return HTTPResponse(.unauthorized, to: request)
        }
        return HTTPResponse(.ok, body: HTTPBody(#"["Solaris"]"#), to: request)
    }

    private var usersBooks: HTTPRequest {
        get throws { try HTTPRequest(.get, "user/books/scifi", headers: ["X-Token": "stale"]) }
    }

    @Test(.rows("S0-11"))
    func `an expired token is a failure if no validator handles it`() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await usersBooks.fetch(client(library, [HTTPDefaultValidator()]))
        }
        #expect(error?.status == .unauthorized)
        #expect(library.requests.map { $0.headers["X-Token"] } == ["stale"])
    }

    @Test(.rows("S0-19", "S0-37"))
    func `a 401 is answered with a login, and the request sent again with its token`()
        async throws
    {
        let login = SilentLoginValidator(
            tokenRefreshRequest: try HTTPRequest(.post, "https://ws.org/login"))
        let client = try client(library, [login, HTTPDefaultValidator()])
        let books = try await usersBooks.maxRetries(1).fetch(client, [String].self)
        #expect(books == ["Solaris"])
        let paths = library.requests.map(\.url.path)
        #expect(paths == ["/user/books/scifi", "/login", "/user/books/scifi"])
        #expect(clock.waits == [.seconds(0.3)])
    }

    @Test(.rows("S0-37"))
    func `nothing but a 401 is answered with a login`() async throws {
        let mock = answering((.forbidden, ""))
        let login = SilentLoginValidator(
            tokenRefreshRequest: try HTTPRequest(.post, "https://ws.org/login"))
        let error = await #expect(throws: HTTPError.self) {
            let client = try client(mock, [login, HTTPDefaultValidator()])
            try await usersBooks.maxRetries(1).fetch(client)
        }
        #expect(error?.status == .forbidden)
        #expect(mock.requests.count == 1)
    }

    // MARK: Work before the retry

    private struct NoToken: Error {}

    private func retrying(
        with patchRequestAndRetryTask: @escaping RetryTask, failures: Record<String> = Record()
    ) -> ClosureValidator {
        ClosureValidator { response, attempt in
            guard response.status == .unauthorized else { return .next }
            guard attempt.index < 2 else { return .invalid("too many requests") }
            return .retry(
                .afterTask(delay: .seconds(4), patchRequestAndRetryTask) { error in
                    failures.add("\(type(of: error))")
                })
        }
    }

    @Test(.rows("S0-15", "S0-21", "S0-38"))
    func `a task changes the request, which is sent again four seconds later`()
        async throws
    {
        let mock = answering((.unauthorized, ""), (.ok, ""))
        let newClient = try client(
            mock,
            [
                retrying { originalRequest in
                    try originalRequest.headers.set(.bearer("abcdefg"))
                }
            ])
        let aRequest = try HTTPRequest("books").maxRetries(2)
        #expect(try await aRequest.fetch(newClient).status == .ok)
        #expect(mock.requests.map { $0.headers[.authorization] } == [nil, "Bearer abcdefg"])
        #expect(clock.waits == [.seconds(4)])
    }

    @Test(.rows("S0-21"))
    func `a failed task is reported, and the request is sent again all the same`()
        async throws
    {
        let mock = answering((.unauthorized, ""))
        let failures = Record<String>()
        let newClient = try client(
            mock, [retrying(with: { _ in throw NoToken() }, failures: failures)])
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPRequest("books").maxRetries(2).fetch(newClient)
        }
        #expect(error?.message == "too many requests")
        #expect(failures.entries == ["NoToken", "NoToken"])
        #expect(mock.requests.count == 3)
        #expect(clock.waits == [.seconds(4), .seconds(4)])
    }
}
