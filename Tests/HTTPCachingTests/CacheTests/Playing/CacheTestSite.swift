import HTTPCore
import HTTPTesting

/// The place where the origins of tests are, and the session that reaches them.
protocol CacheTestSite: Sendable {
    /// The session under the cache.
    var session: any HTTPSession { get }
    /// The URL of the site, without a path.
    var url: String { get }
    /// Makes an origin reachable, under the first segments `/test/` and its token.
    func open(_ origin: CacheTestOrigin)
    func close(_ origin: CacheTestOrigin)
}

/// The origins that are open, by their tokens.
final class CacheTestOrigins: Sendable {
    private let origins = Locked([String: CacheTestOrigin]())

    func open(_ origin: CacheTestOrigin) { origins.withLock { $0[origin.token] = origin } }
    func close(_ origin: CacheTestOrigin) {
        origins.withLock { $0[origin.token] = nil }
    }

    /// Answers a request for a target such as `/test/token/name?query`.
    func answer(method: String, target: String, fields: CacheTestFields) -> CacheTestAnswer? {
        let segments = target.prefix { $0 != "?" }.split(separator: "/")
        guard segments.count > 1, segments[0] == "test" else { return nil }
        return origins.withLock { $0[String(segments[1])] }?
            .answer(method: method, target: target, fields: fields)
    }
}

/// Origins that are called without a connection.
final class MockCacheTestSite: CacheTestSite {
    let session: any HTTPSession
    let url = "http://cache.test"
    private let origins: CacheTestOrigins

    init() {
        let origins = CacheTestOrigins()
        self.origins = origins
        session = MockSession { request in
            let target = try request.checkedTarget()
            let answer = origins.answer(
                method: request.method.rawValue, target: target.originForm,
                fields: CacheTestFields(request.headers))
            guard let answer else { return HTTPResponse(.notFound, to: request) }
            return try answer.response(to: request)
        }
    }

    func open(_ origin: CacheTestOrigin) { origins.open(origin) }
    func close(_ origin: CacheTestOrigin) { origins.close(origin) }
}

/// Origins behind a server on the loopback interface, for the tests of a transport.
final class LoopbackCacheTestSite: CacheTestSite {
    let session: any HTTPSession
    private let server: LoopbackServer
    private let origins: CacheTestOrigins

    /// - Parameter transport: The session that sends the requests.
    init(_ transport: any HTTPSession) throws {
        let origins = CacheTestOrigins()
        self.origins = origins
        session = transport
        server = try LoopbackServer(script: { request in
            let answer = origins.answer(
                method: request.method, target: request.target, fields: CacheTestFields(request))
            return answer?.script(answering: request) ?? [.respond(.status(404))]
        })
    }

    var url: String { server.url }
    func open(_ origin: CacheTestOrigin) { origins.open(origin) }
    func close(_ origin: CacheTestOrigin) { origins.close(origin) }
}

extension CacheTestFields {
    /// Creates the fields from the bytes on the wire.
    fileprivate init(_ request: LoopbackRequest) {
        var headers = HTTPHeaders()
        for line in request.head.split(separator: UInt8(ascii: "\n")).dropFirst() {
            let bytes = line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : Array(line)
            _ = headers.append(line: bytes.span)
        }
        self.init(headers)
    }
}
