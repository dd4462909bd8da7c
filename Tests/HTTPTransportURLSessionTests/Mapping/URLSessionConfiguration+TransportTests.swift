import Foundation
import HTTPCore
import HTTPFormats
import HTTPTesting
import Testing

@testable import HTTPTransportURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct URLSessionConfigurationTransportTests {
    // MARK: Accepted settings

    @Test func `limits become settings that can still be changed`() throws {
        let platform = URLSessionConfiguration.ephemeral
        platform.httpMaximumConnectionsPerHost = 3
        platform.timeoutIntervalForRequest = 2.5
        platform.timeoutIntervalForResource = .infinity
        var configuration = try URLSessionTransportConfiguration(platform)
        #expect(configuration.maximumConnectionsPerHost == 3)
        #expect(
            configuration.timeouts == HTTPTimeouts(idle: .after(.seconds(2.5)), total: .never))
        configuration.maximumConnectionsPerHost = 4
        #expect(configuration.makePlatformConfiguration().httpMaximumConnectionsPerHost == 4)
    }

    @Test func `a configuration is copied`() throws {
        let platform = URLSessionConfiguration.ephemeral
        platform.httpAdditionalHeaders = ["X-A": "1"]
        let configuration = try URLSessionTransportConfiguration(platform)
        platform.httpAdditionalHeaders = ["X-A": "2"]
        platform.protocolClasses = []
        #expect(configuration.additionalHeaders["X-A"] == "1")
        #expect(configuration.makePlatformConfiguration().protocolClasses?.isEmpty != true)
        #expect(
            configuration.makePlatformConfiguration() !== configuration.makePlatformConfiguration())
    }

    @Test func `the resource time-out ends a body that goes on, on every platform`() async throws {
        let server = try LoopbackServer { _ -> LoopbackScript in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"), .stall]
        }
        let platform = URLSessionConfiguration.ephemeral
        platform.timeoutIntervalForResource = 0.3
        let transport = try URLSessionTransport(configuration: platform)
        let error = await #expect(throws: HTTPError.self) {
            try await transport.response(for: server.url("/")).data()
        }
        #expect(error?.code == .timedOut)
        #expect(error?.timer?.name == .total)
    }

    @Test func `additional fields are sent where the request has none of their name`() async throws
    {
        let server = try LoopbackServer { _ in .ok() }
        let platform = URLSessionConfiguration.default
        platform.httpAdditionalHeaders = [
            "User-Agent": "me/1", "x-both": "configured", "X-Additional": "a",
        ]
        let transport = try URLSessionTransport(configuration: platform)
        let request = try HTTPRequest(.get, server.url("/"), headers: ["X-Both": "own"])
        let response = try await transport.response(for: request)
        let seen = try await server.nextRequest()
        #expect(seen["User-Agent"] == "me/1")
        #expect(seen["X-Both"] == "own")
        #expect(seen["X-Additional"] == "a")
        #expect(response.originalRequest.headers[.userAgent] == "me/1")
    }

    @Test func `no cookie, response or credential is kept, though the configuration has stores`()
        async throws
    {
        let server = try LoopbackServer { _ in
            LoopbackResponse(
                fields: [("Set-Cookie", "a=1"), ("Cache-Control", "max-age=100")],
                content: .bytes([65]))
        }
        let platform = URLSessionConfiguration.ephemeral
        platform.httpShouldSetCookies = true
        platform.httpCookieAcceptPolicy = .always
        platform.requestCachePolicy = .useProtocolCachePolicy
        let transport = try URLSessionTransport(configuration: platform)
        for _ in 0..<2 {
            #expect(try await transport.response(for: server.url("/")).text() == "A")
        }
        #expect(server.log.count == 2)
        #expect(server.log.allSatisfy { $0.request?["Cookie"] == nil })
        #expect(platform.httpCookieStorage?.cookies?.isEmpty ?? true)
        let own = try URLSessionTransportConfiguration(platform).makePlatformConfiguration()
        #expect(own.urlCredentialStorage == nil)
        #expect(own.urlCache == nil)
    }

    @Test func `a protocol class of the caller's answers`() async throws {
        let platform = URLSessionConfiguration.ephemeral
        platform.protocolClasses = [TeapotProtocol.self]
        let transport = try URLSessionTransport(configuration: platform)
        let response = try await transport.response(for: "http://nowhere.invalid/tea")
        #expect(response.status.code == 418)
        #expect(try await response.text() == "/tea")
    }

    // MARK: Refused settings

    struct Refusal: Sendable, CustomTestStringConvertible {
        var name: String
        var code = HTTPError.Code.unsupportedOption
        var change: @Sendable (URLSessionConfiguration) -> Void
        var testDescription: String { name }
    }

    static let refusals: [Refusal] = {
        var refusals = [
            Refusal(name: "requestCachePolicy") {
                $0.requestCachePolicy = .returnCacheDataDontLoad
            },
            Refusal(name: "requestCachePolicy") {
                $0.requestCachePolicy = .returnCacheDataElseLoad
            },
            Refusal(name: "maximumConnectionsPerHost", code: .invalidRequest) {
                $0.httpMaximumConnectionsPerHost = 0
            },
            Refusal(name: "idle limit", code: .invalidRequest) {
                $0.timeoutIntervalForRequest = 0
            },
            Refusal(name: "total limit", code: .invalidRequest) {
                $0.timeoutIntervalForResource = .nan
            },
            Refusal(name: "httpAdditionalHeaders", code: .invalidRequest) {
                $0.httpAdditionalHeaders = ["X-A": 1]
            },
            Refusal(name: "X-A", code: .invalidRequest) {
                $0.httpAdditionalHeaders = ["X-A": "a\nX-B: b"]
            },
            Refusal(name: "Content-Length", code: .invalidRequest) {
                $0.httpAdditionalHeaders = ["content-length": "1"]
            },
        ]
        #if !canImport(Darwin)
            refusals += [
                Refusal(name: "identifier") { $0.identifier = "background" },
                Refusal(name: "connectionProxyDictionary") {
                    $0.connectionProxyDictionary = ["HTTPEnable": 1]
                },
                Refusal(name: "networkServiceType") { $0.networkServiceType = .video },
                Refusal(name: "allowsCellularAccess") { $0.allowsCellularAccess = false },
                Refusal(name: "isDiscretionary") { $0.isDiscretionary = true },
            ]
        #endif
        return refusals
    }()

    @Test(arguments: refusals)
    func `a setting without effect is refused by name`(_ row: Refusal) {
        let platform = URLSessionConfiguration.ephemeral
        row.change(platform)
        let error = #expect(throws: HTTPError.self) {
            try URLSessionTransport(configuration: platform)
        }
        #expect(error?.code == row.code)
        #expect(
            error?.message.lowercased().contains(row.name.lowercased()) == true,
            "\(error?.message ?? "")")
    }

    @Test func `what every program starts with is accepted`() throws {
        _ = try URLSessionTransport(configuration: .default)
        _ = try URLSessionTransport(configuration: .ephemeral)
        _ = try URLSession.shared.httpSession()
    }

    // MARK: Sessions

    @Test func `a session's transport has its configuration, and its delegate is told nothing`()
        async throws
    {
        let server = try LoopbackServer { _ in .redirect(to: "/elsewhere", status: 302) }
        let platform = URLSessionConfiguration.ephemeral
        platform.httpAdditionalHeaders = ["X-A": "1"]
        let delegate = Eavesdropper()
        let session = URLSession(
            configuration: platform, delegate: delegate, delegateQueue: nil)
        let transport = try session.httpSession()
        // Each lives without the other.
        session.invalidateAndCancel()
        #expect(try await transport.response(for: server.url("/")).status == .found)
        #expect(try await server.nextRequest()["X-A"] == "1")
        await transport.close()
        #expect(server.log.count == 1)
        #expect(delegate.heard.withLock { $0 } == 0)
    }
}

/// Responds with the path, and never loads anything.
private final class TeapotProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: 418, httpVersion: "HTTP/1.1", headerFields: [:])
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(url.path.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }
}

/// Counts the events that a task's delegate receives.
private final class Eavesdropper: NSObject, URLSessionDataDelegate {
    let heard = Locked(0)

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        heard.withLock { $0 += 1 }
        completionHandler(newRequest)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        heard.withLock { $0 += 1 }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        heard.withLock { $0 += 1 }
    }
}
