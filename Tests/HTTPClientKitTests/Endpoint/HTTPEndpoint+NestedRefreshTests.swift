import HTTPClientKit
import HTTPFormats
import HTTPTesting
import Testing
import PortableFoundation

/// A project whose endpoints create their shared settings again at each access, so that no object
/// can be recognised by identity as being refreshed.
final class ComputedProject: Sendable {
    enum Refresher: String, CaseIterable, Sendable {
        case task, request, authentication
    }

    /// A separate object, since the mock uses it, too, and must not retain the project.
    private final class Counts: Sendable {
        let feeds = Locked(0)
        let logins = Locked(0)
        let refreshes = Locked(0)

        static func add(to count: borrowing Locked<Int>) -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
    }

    let refresher: Refresher
    let isLoginRefused: Bool
    let client: HTTPClient
    private let counts = Counts()

    var feeds: Int { counts.feeds.withLock { $0 } }
    var logins: Int { counts.logins.withLock { $0 } }
    var refreshes: Int { counts.refreshes.withLock { $0 } }

    /// The number of logins after which the test stops an endless refresh.
    private static let patience = 20

    init(_ refresher: Refresher, isLoginRefused: Bool, isCoalescing: Bool) {
        self.refresher = refresher
        self.isLoginRefused = isLoginRefused
        let mock = MockSession { [counts] request in
            let isLogin = request.url.path == "/login"
            let count = isLogin ? Counts.add(to: counts.logins) : Counts.add(to: counts.feeds)
            let isGood =
                isLogin
                ? !isLoginRefused || count > Self.patience
                : request.headers[.authorization] == "Bearer new"
            return HTTPResponse(
                isGood ? .ok : .unauthorized, body: HTTPBody(isGood ? "new" : "{}"), to: request)
        }
        client = HTTPClient(transport: mock) {
            $0.coalescing = isCoalescing ? .useCurrentIfPossible : nil
        }
    }

    private func login() async throws -> String {
        guard Counts.add(to: counts.refreshes) <= Self.patience else {
            throw HTTPError(.internalFailure, "without end")
        }
        return try await Login(project: self).fetch()
    }

    /// Creates new objects for each access.
    var defaults: HTTPEndpointConfiguration {
        var defaults = HTTPEndpointConfiguration()
        defaults.session = client
        switch refresher {
        case .task:
            defaults.validators = [
                HTTPAltTaskValidator {
                    try await self.login()
                } prepare: { request, token in
                    try request.headers.set(.authorization, "Bearer \(token)")
                }
            ]
        case .request:
            defaults.validators = [
                HTTPAltRequestValidator(
                    onProvideAltRequest: { _, _ in try HTTPRequest(.get, "https://h/login") },
                    onReceiveAltResponse: { _, _ in _ = try await self.login() },
                    prepare: { request, response in
                        let token = try await response.text()
                        try request.headers.set(.authorization, "Bearer \(token)")
                    })
            ]
        case .authentication:
            guard let origin = try? HTTPOrigin("https://h") else { break }
            defaults.interceptors = [
                RefreshingAuthentication(for: origin) { _, _ in
                    try .bearer(try await self.login())
                }
            ]
        }
        return defaults
    }
}

private struct GetFeed: HTTPGetEndpoint {
    typealias Success = String
    let project: ComputedProject
    let route = "https://h/feed"
    var defaults: HTTPEndpointConfiguration { project.defaults }
}

private struct Login: HTTPGetEndpoint {
    typealias Success = String
    let project: ComputedProject
    let route = "https://h/login"
    var defaults: HTTPEndpointConfiguration { project.defaults }
}

@Suite(.timeLimit(.minutes(5))) struct HTTPEndpointNestedRefreshTests {
    @Test(arguments: ComputedProject.Refresher.allCases, [false, true])
    func `a refused login does not cause another login, whatever object refreshes`(
        refresher: ComputedProject.Refresher, isCoalescing: Bool
    ) async throws {
        let project = ComputedProject(refresher, isLoginRefused: true, isCoalescing: isCoalescing)
        let error = await #expect(throws: HTTPError.self) {
            try await GetFeed(project: project).fetch()
        }
        #expect(error?.code == .refreshFailed)
        #expect(error?.status == .unauthorized)
        #expect(project.logins == 1)
        #expect(project.refreshes <= 1)
        #expect(project.feeds <= 1)
        // It was the refresh of that call: the next call has its own.
        await #expect(throws: HTTPError.self) { try await GetFeed(project: project).fetch() }
        #expect(project.logins == 2)
        #expect(project.refreshes <= 2)
        #expect(project.feeds <= 2)
    }

    @Test(arguments: ComputedProject.Refresher.allCases, [false, true])
    func `a successful login is sent once, and the feed arrives`(
        refresher: ComputedProject.Refresher, isCoalescing: Bool
    ) async throws {
        let project = ComputedProject(refresher, isLoginRefused: false, isCoalescing: isCoalescing)
        #expect(try await GetFeed(project: project).fetch() == "new")
        #expect(project.refreshes == 1)
        #expect(project.logins == (refresher == .request ? 2 : 1))
    }
}
