import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

private struct HomeResponseDAO: Codable, Equatable, Sendable {
    var headlines: [String]
}

private struct AppTokenDAO: Codable, Sendable {
    var accessToken: String
}

private struct AppTokenErrorDAO: Codable, Error, Equatable, Sendable {
    var reason: String
}

private final class APIDataManager: Sendable {
    private let stored = Locked<String?>(nil)
    var appToken: String? { stored.withLock { $0 } }
    func save(_ token: String) { stored.withLock { $0 = token } }
}

private struct CommonRequestHeaderInterceptor: HTTPRequestInterceptor {
    let data: APIDataManager

    func process(request: inout HTTPRequest) async throws {
        guard let token = data.appToken else { return }
        try request.headers.set(.bearer(token))
    }
}

private struct TokenRequestHeaderInterceptor: HTTPRequestInterceptor {
    func process(request: inout HTTPRequest) async throws {
        try request.headers.set(.basic(user: "app", password: "secret"))
    }
}

/// The shared settings of one app's endpoints.
private final class Project: Sendable {
    let data = APIDataManager()
    private let made = Locked(HTTPEndpointConfiguration())
    var endpoints: HTTPEndpointConfiguration { made.withLock { $0 } }

    init(networkClient: any HTTPSession) {
        var endpoints = HTTPEndpointConfiguration()
        endpoints.session = networkClient
        endpoints.timeout = .seconds(30)
        endpoints.cachePolicy = .useProtocol
        endpoints.interceptors = [CommonRequestHeaderInterceptor(data: data)]
        endpoints.validators = [
            HTTPAltTaskValidator(statusCodes: [.unauthorized, .badRequest]) { [weak self] in
                guard let self else { throw CancellationError() }
                let appToken = try await RefreshAppTokenAPI(project: self).fetch()
                self.data.save(appToken.accessToken)
            }
        ]
        let all = endpoints
        made.withLock { $0 = all }
    }
}

private protocol APIRequest: HTTPEndpoint where ErrorResponse == AppTokenErrorDAO {
    var project: Project { get }
}

extension APIRequest {
    var defaults: HTTPEndpointConfiguration { project.endpoints }
}

private struct HomeFeedAPI: APIRequest, HTTPGetEndpoint {
    typealias Success = HomeResponseDAO
    let project: Project
    var requestParams: [String: String] = [:]
    let route = "https://platform.example/home"
    var query: [String: Any?] { requestParams }
}

private struct RefreshAppTokenAPI: APIRequest, HTTPPostEndpoint {
    typealias Success = AppTokenDAO
    let project: Project
    let body = "grant_type=client_credentials"
    let route = "https://platform.example/token"
    func configure(_ configuration: inout HTTPEndpointConfiguration) {
        configuration.contentType = .formURLEncoded
        configuration.interceptors = [TokenRequestHeaderInterceptor()]
    }
}

/// The samples of RCNetworkClient's README.
@Suite(.timeLimit(.minutes(5))) struct RCNetworkClientSamplesTests {
    /// Returns a service that issues a token and sends the feed to requests with that token.
    private func platform(
        token: HTTPStatus = .ok, feed: String = #"{"headlines":["Rain"]}"#
    ) -> MockSession {
        MockSession { request in
            func answer(_ status: HTTPStatus, _ body: String) -> HTTPResponse {
                HTTPResponse(status, body: HTTPBody(body), to: request)
            }
            if request.url.path == "/token" {
                return token == .ok
                    ? answer(.ok, #"{"accessToken":"fresh"}"#)
                    : answer(token, #"{"reason":"unknown app"}"#)
            }
            return request.headers[.authorization] == "Bearer fresh"
                ? answer(.ok, feed) : answer(.unauthorized, #"{"reason":"expired"}"#)
        }
    }

    private func answering(_ status: HTTPStatus, _ body: String) -> MockSession {
        MockSession { HTTPResponse(status, body: HTTPBody(body), to: $0) }
    }

    // MARK: Interceptors and defaults

    @Test(.rows("S2-1", "S2-2", "S2-3", "S2-4", "S2-6", "S2-17", "S2-18"))
    func `an endpoint has the settings of its project, and its own parameters`()
        async throws
    {
        let mock = platform()
        let project = Project(networkClient: mock)
        project.data.save("fresh")
        let feed = try await HomeFeedAPI(
            project: project, requestParams: ["q": "a&b", "page": "2"]
        ).fetch()
        #expect(feed == HomeResponseDAO(headlines: ["Rain"]))
        let request = try #require(mock.requests.first)
        #expect(mock.requests.count == 1)
        #expect(request.method == .get)
        #expect(request.url.absoluteString == "https://platform.example/home?page=2&q=a%26b")
        #expect(request.headers[values: .authorization] == ["Bearer fresh"])
        #expect(!request.headers.contains(.cacheControl))
        #expect(request.timeouts.total == .after(.seconds(30)))
    }

    // MARK: Overriding

    @Test(.rows("S2-2", "S2-5", "S2-6", "B-19"))
    func `an endpoint overrides its defaults`() async throws {
        let mock = platform()
        let project = Project(networkClient: mock)
        project.data.save("stale")
        _ = try await RefreshAppTokenAPI(project: project).fetch()
        let request = try #require(mock.requests.first)
        #expect(request.method == .post)
        #expect(request.headers[.authorization] == "Basic YXBwOnNlY3JldA==")
        #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(request.body.bytes == Data("grant_type=client_credentials".utf8))
        #expect(request.timeouts.total == .after(.seconds(30)))
    }

    // MARK: Three outcomes

    private func story(_ answer: HTTPAnswer<HomeResponseDAO, AppTokenErrorDAO>) -> String {
        switch answer {
        case .success(let response): "feed of \(response.headlines.count)"
        case .errorResponse(let response, let error):
            "\(response.reason), \(error.status?.code ?? 0)"
        case .failure(let error as HTTPError): "\(error.code), \(error.status?.code ?? 0)"
        case .failure(let error): "\(type(of: error))"
        }
    }

    @Test(
        .rows("S2-8", "S2-9", "S2-10", "S2-12", "S2-13", "S2-17"),
        arguments: [
            (200, #"{"headlines":["Rain"]}"#, "feed of 1"),
            (200, #"{"headlines":[],"reason":"none"}"#, "feed of 0"),
            (200, #"{"reason":"closed"}"#, "closed, 200"),
            (200, "<html>", "decodingFailed, 200"),
            (409, #"{"reason":"closed"}"#, "closed, 409"),
            (500, #"{"headlines":["Rain"]}"#, "unexpectedStatus, 500"),
        ])
    func `a response is the success, the service's error, or neither`(
        code: Int, body: String, expected: String
    ) async throws {
        let mock = answering(try #require(HTTPStatus(code: code)), body)
        let project = Project(networkClient: mock)
        #expect(await story(HomeFeedAPI(project: project).answer()) == expected)
        #expect(mock.requests.count == 1)
    }

    private struct Unencodable: APIRequest, HTTPPostEndpoint {
        typealias Success = HomeResponseDAO
        let project: Project
        let body = ["weight": Double.nan]
        let route = "https://platform.example/home"
    }

    // MARK: Bad bodies

    @Test(.rows("S2-5"))
    func `a body that cannot be encoded is not sent`() async throws {
        let mock = platform()
        let answer = await Unencodable(project: Project(networkClient: mock)).answer()
        #expect(story(answer) == "encodingFailed, 0")
        #expect(mock.requests.isEmpty)
    }

    // MARK: Refreshing the token

    @Test(.rows("S2-14", "S2-17", "B-19"))
    func `a refusal fetches a token, saves it, and sends the same request again`()
        async throws
    {
        let mock = platform()
        let project = Project(networkClient: mock)
        project.data.save("stale")
        let feed = try await HomeFeedAPI(project: project).fetch()
        #expect(feed.headlines == ["Rain"])
        #expect(project.data.appToken == "fresh")
        #expect(mock.requests.map(\.url.path) == ["/home", "/token", "/home"])
        #expect(
            mock.requests.map { $0.headers[.authorization] }
                == ["Bearer stale", "Basic YXBwOnNlY3JldA==", "Bearer fresh"])
    }

    @Test(.rows("S2-14"), arguments: [HTTPStatus.unauthorized, .badRequest])
    func `a refused refresh is no reason for another one`(status: HTTPStatus) async throws {
        let mock = platform(token: status)
        let project = Project(networkClient: mock)
        let error = await #expect(throws: HTTPError.self) {
            try await HomeFeedAPI(project: project).fetch()
        }
        #expect(error?.code == .refreshFailed)
        let cause = error?.underlyingError as? HTTPError
        #expect(cause?.underlyingError as? AppTokenErrorDAO == .init(reason: "unknown app"))
        #expect(mock.requests.map(\.url.path) == ["/home", "/token"])
        #expect(project.data.appToken == nil)
    }

    // MARK: Another client below

    /// A client that treats every status except 2xx as a failure.
    private struct AlamofireNetworkClient: HTTPSession {
        let alamofire: any HTTPSession

        func response(for request: HTTPRequest) async throws -> HTTPResponse {
            try await alamofire.with(Validation([.allowed(statusCodes: 200..<300)]))
                .response(for: request)
        }
    }

    @Test(.rows("S2-10", "S2-15"))
    func `a client below may validate, and the service's error is found all the same`()
        async throws
    {
        let good = AlamofireNetworkClient(
            alamofire: answering(.ok, #"{"headlines":["Rain"]}"#))
        let bad = AlamofireNetworkClient(alamofire: answering(.gone, #"{"reason":"closed"}"#))
        let project = Project(networkClient: good)
        #expect(await story(HomeFeedAPI(project: project).answer()) == "feed of 1")
        #expect(await story(HomeFeedAPI(project: project).answer(bad)) == "closed, 410")
    }

    private struct CoreNetworkClientMock: HTTPSession {
        let target: Result<Data, HTTPError>

        func response(for request: HTTPRequest) async throws -> HTTPResponse {
            HTTPResponse(.ok, body: HTTPBody(try target.get()), to: request)
        }
    }

    // MARK: A mock below

    @Test(.rows("S2-11", "S2-16", "B-19"))
    func `a mock with data or an error can be the session below`() async throws {
        let data = Data(#"{"headlines":["Rain","Sun"]}"#.utf8)
        let project = Project(networkClient: CoreNetworkClientMock(target: .success(data)))
        #expect(await story(HomeFeedAPI(project: project).answer()) == "feed of 2")
        let failing = CoreNetworkClientMock(
            target: .failure(HTTPError(.connectionLost, "unplugged")))
        #expect(
            await story(HomeFeedAPI(project: project).answer(failing)) == "connectionLost, 0")
    }
}
