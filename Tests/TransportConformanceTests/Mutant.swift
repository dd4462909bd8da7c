import HTTPCore
import HTTPTesting
import HTTPTransportCurl
import TestSupport
import PortableFoundation

/// A transport with exactly one flaw.
struct Mutant: Sendable, CustomStringConvertible {
    /// The family of cases that must detect the flaw.
    let family: TransportConformance.Family
    let description: String
    let makeSession: @Sendable () -> any HTTPSession

    private init(
        _ family: TransportConformance.Family, _ flaw: String,
        _ answer: @escaping @Sendable (HTTPRequest, any HTTPSession) async throws -> HTTPResponse
    ) {
        self.family = family
        self.description = flaw
        self.makeSession = { Flawed(base: CurlTransport(), answer: answer) }
    }

    private struct Flawed: HTTPSession {
        let base: CurlTransport
        let answer: @Sendable (HTTPRequest, any HTTPSession) async throws -> HTTPResponse

        func response(for request: HTTPRequest) async throws -> HTTPResponse {
            try await answer(request, base)
        }
    }

    static let all = ofRequests + ofResponses + ofManners

    // MARK: Requests

    private static func sends(
        _ family: TransportConformance.Family, _ flaw: String,
        _ spoil: @escaping @Sendable (inout HTTPRequest) async throws -> Void
    ) -> Mutant {
        Mutant(family, flaw) { request, base in
            var request = request
            try await spoil(&request)
            return try await base.response(for: request)
        }
    }

    private static let ofRequests = [
        sends(.request, "invents a Content-Type") {
            $0.headers[.contentType] = $0.headers[.contentType] ?? "application/octet-stream"
        },
        sends(.request, "names itself in User-Agent") {
            $0.headers[.userAgent] = $0.headers[.userAgent] ?? "me/1"
        },
        sends(.request, "writes methods in capitals") {
            $0.method = HTTPMethod($0.method.rawValue.uppercased())
        },
        sends(.request, "merges fields of one name") { $0.headers = $0.headers.merged },
        sends(.request, "drops empty fields") { $0.headers = $0.headers.withoutEmpty },
        sends(.request, "drops options that it does not know") { $0.options = HTTPOptions() },
        sends(.target, "decodes what is percent-encoded") {
            let decoded = $0.url.absoluteString.replacing("%7e", with: "~")
            $0.url = URL(string: decoded) ?? $0.url
        },
        sends(.target, "drops the query") {
            let bare = $0.url.absoluteString.prefix { $0 != "?" }
            $0.url = URL(string: String(bare)) ?? $0.url
        },
        sends(.upload, "cuts the last byte off") { request in
            guard let bytes = request.body.bytes, !bytes.isEmpty else { return }
            request.body = HTTPBody(Data(bytes.dropLast()))
        },
        sends(.upload, "takes streams in before it sends them") { request in
            guard request.body.bytes == nil else { return }
            request.body = HTTPBody(try await request.body.collect())
        },
        sends(.upload, "sends streams with half their length") { request in
            guard request.body.bytes == nil, let length = request.body.length else { return }
            request.body = HTTPBody(request.body, length: length / 2)
        },
        sends(.coding, "asks for gzip and leaves it to the caller") {
            if $0.headers[.range] == nil { $0.headers[.acceptEncoding] = "gzip" }
        },
        sends(.coding, "replaces the caller's Accept-Encoding") {
            $0.headers[.acceptEncoding] = nil
        },
        sends(.timeLimits, "knows no limit of time") {
            $0.timeouts = HTTPTimeouts(
                connect: .never, tls: .never, responseHead: .never, idle: .never, total: .never)
            $0.deadline = nil
        },
        sends(.timeLimits, "takes an idle limit for a total one") {
            let limits = $0.timeouts
            $0.timeouts.idle = limits.total
            $0.timeouts.total = limits.idle
        },
        sends(.timeLimits, "takes a limit of the head for a total one") { request in
            guard case .after = request.timeouts.responseHead else { return }
            request.timeouts.total = request.timeouts.responseHead
            request.timeouts.responseHead = .never
        },
        sends(.reports, "tells the observer nothing") { $0 = $0.endingCall() },
    ]

    // MARK: Responses

    private static func hears(
        _ family: TransportConformance.Family, _ flaw: String,
        _ spoil: @escaping @Sendable (inout HTTPResponse, HTTPRequest) async throws -> Void
    ) -> Mutant {
        Mutant(family, flaw) { request, base in
            var response = try await base.response(for: request)
            try await spoil(&response, request)
            return response
        }
    }

    private static let ofResponses = [
        hears(.status, "takes unknown classes for 500") { response, _ in
            if response.status.class == nil { response.status = .internalServerError }
        },
        hears(.status, "gives HEAD a body") { response, request in
            if request.method == .head { response.body = HTTPBody("x") }
        },
        hears(.fields, "merges fields of one name") { response, _ in
            response.headers = response.headers.merged
        },
        hears(.fields, "drops empty fields") { response, _ in
            response.headers = response.headers.withoutEmpty
        },
        hears(.framing, "drops trailers") { response, _ in
            response.body = HTTPBody(response.body.map { $0 }, length: response.body.length)
        },
        hears(.framing, "loses a byte") { response, _ in
            response.body = HTTPBody(response.body.map { $0.dropLast() })
        },
        hears(.framing, "answers with the end of the body") { response, _ in
            response = try await response.buffered()
        },
        hears(.coding, "keeps the fields of the coded form") { response, _ in
            response.headers[.contentEncoding] = "gzip"
        },
        hears(.faults, "takes a broken body for a whole one") { response, _ in
            response.body = HTTPBody(Forgiving(body: response.body), length: response.body.length)
        },
        hears(.delivery, "holds on to bodies that are given up") { response, _ in
            let source = Hoarder(response.body)
            response.body = HTTPBody(source: source, length: response.body.length)
        },
        hears(.delivery, "fills the memory while the body is not read") { response, _ in
            let body = response.body
            let (stream, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
            Task {
                do {
                    for try await piece in body { continuation.yield(piece) }
                    continuation.finish()
                } catch { continuation.finish(throwing: error) }
            }
            response.body = HTTPBody(stream, length: body.length)
        },
        hears(.reports, "tells the observer of the end twice") { response, request in
            response.body.whenEnded {
                let exchange = HTTPTimeline.Exchange(start: HTTPSystemClock().now)
                request.call?.report(.ended($0, exchange), exchange: 1)
            }
        },
        hears(.reports, "counts every send twice") { _, request in
            _ = request.call?.beginSend(Record())
        },
    ]

    // MARK: Manners

    private static let ofManners = [
        Mutant(.upload, "denies that part of a body has left") { request, base in
            do {
                return try await base.response(for: request)
            } catch let error as HTTPError where error.code == .requestBodyFailed {
                throw HTTPError(error.code, error.message, phase: .preparing)
            }
        },
        Mutant(.restraint, "follows redirects") { request, base in
            var request = request
            while true {
                let response = try await base.response(for: request)
                guard response.status.isRedirection, let location = response.headers[.location],
                    let url = URL(string: location, relativeTo: request.url)
                else { return response }
                await response.discard()
                request.url = url.absoluteURL
            }
        },
        Mutant(.restraint, "tries again after 503") { request, base in
            let response = try await base.response(for: request)
            guard response.status == .serviceUnavailable else { return response }
            await response.discard()
            return try await base.response(for: request)
        },
        Mutant(.restraint, "answers challenges") { request, base in
            let response = try await base.response(for: request)
            guard response.status == .unauthorized else { return response }
            await response.discard()
            var request = request
            request.headers[.authorization] = "Basic eDp5"
            return try await base.response(for: request)
        },
        keepingCookies,
        Mutant(.faults, "calls every failure by one name") { request, base in
            do {
                return try await base.response(for: request)
            } catch let error as HTTPError {
                throw HTTPError(.internalFailure, error.message)
            }
        },
        Mutant(.cancellation, "does not hear that it is cancelled") { request, base in
            let task = Task { try await base.response(for: request) }
            return try await task.value
        },
        Mutant(.cancellation, "wraps cancellation in an error of its own") { request, base in
            do {
                return try await base.response(for: request)
            } catch is CancellationError {
                throw HTTPError(.connectionLost, "cancelled")
            }
        },
        Mutant(.connections, "opens a connection for each request") { request, _ in
            try await CurlTransport().response(for: request)
        },
        Mutant(.connections, "sends again what was lost") { request, base in
            do {
                return try await base.response(for: request)
            } catch let error as HTTPError where error.code == .connectionLost {
                return try await base.response(for: request)
            }
        },
    ]

    private static var keepingCookies: Mutant {
        let jar = Locked<String?>(nil)
        return Mutant(.restraint, "keeps cookies") { request, base in
            var request = request
            request.headers[.cookie] = request.headers[.cookie] ?? jar.withLock { $0 }
            let response = try await base.response(for: request)
            if let cookie = response.headers[.setCookie] { jar.withLock { $0 = cookie } }
            return response
        }
    }
}

extension HTTPHeaders {
    fileprivate var merged: HTTPHeaders {
        var values: [HTTPHeaderName: [String]] = [:]
        for field in self { values[field.name, default: []].append(field.value) }
        return HTTPHeaders { for (name, all) in values { $0[name] = all.joined(separator: ", ") } }
    }

    fileprivate var withoutEmpty: HTTPHeaders {
        HTTPHeaders { copy in
            for field in self where !field.value.isEmpty {
                copy[values: field.name] += [field.value]
            }
        }
    }
}

/// A body that ends without an error where its source breaks off.
private struct Forgiving: AsyncSequence, Sendable {
    let body: HTTPBody

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: body.makeAsyncIterator()) }

    struct AsyncIterator: AsyncIteratorProtocol {
        var base: HTTPBody.AsyncIterator
        mutating func next() async throws -> Data? { try? await base.next() }
    }
}

/// A body source that never abandons its body.
private final class Hoarder: HTTPBodySource {
    private static let hoard = Locked<[HTTPBody]>([])
    private let iterator: Locked<HTTPBody.AsyncIterator>

    init(_ body: HTTPBody) {
        iterator = Locked(body.makeAsyncIterator())
        Self.hoard.withLock { $0.append(body) }
    }

    func next() async throws -> Data? {
        var copy = iterator.withLock { $0 }
        defer { iterator.withLock { [copy] in $0 = copy } }
        return try await copy.next()
    }

    func abandon() {}
}

private final class Record: HTTPTimelineRecord {
    let exchange = HTTPTimeline.Exchange(start: HTTPSystemClock().now)
}
