public import HTTPCore
import HTTPFormats
import HTTPMiddleware
public import PortableFoundation

/// The pages of a collection, one response each. The next page is the one that `Link` calls `next`
/// (RFC 8288), until there is none. Its target is read as that of a redirect.
///
/// Each page is requested when the iteration reaches it, with the fields of the first request. A
/// page at another origin is requested as after a redirect, without secrets and without transport
/// options that are bound to an origin, and never over http after https.
public struct HTTPPages: AsyncSequence, Sendable {
    public typealias Element = HTTPResponse

    let session: any HTTPSession
    let pending: PendingRequest
    let limit: Int

    public func makeAsyncIterator() -> AsyncIterator {
        let first = pending.begun(on: session.callClock)
        return AsyncIterator(session: session, trail: PageTrail(first.readWhole, limit: limit))
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        let session: any HTTPSession
        var trail: PageTrail

        public mutating func next() async throws -> HTTPResponse? {
            try await next(isolation: nil)
        }

        /// Runs on the caller's actor; the argument is ignored.
        public nonisolated(nonsending) mutating func next(
            isolation _: (any Actor)?
        ) async throws -> HTTPResponse? {
            guard let request = try trail.next() else { return nil }
            do {
                let response = try await session.response(for: request)
                trail.arrived(response)
                return response
            } catch {
                trail.end()
                throw error
            }
        }
    }

    /// Returns each page decoded from JSON.
    public func json<Page: Decodable & Sendable>(
        _ type: Page.Type, decoder: JSONDecoder? = nil
    ) -> AsyncThrowingMapSequence<HTTPPages, Page> {
        map { response in try await response.json(type, decoder: decoder) }
    }
}

extension HTTPSession {
    /// Returns the pages of a collection, beginning with `request`; see
    /// ``/HTTPClientKit/HTTPPages``. Sends nothing yet.
    ///
    /// Each page is read whole, inside its attempt, up to 16 MiB unless the request's delivery sets
    /// another limit. A deadline of the request limits all pages together.
    ///
    /// - Parameters:
    ///   - request: The request for the first page.
    ///   - limit: The largest number of requests. A page beyond it throws `tooManyPages`, and so
    ///     does a page that was requested before.
    /// - Throws: `invalidRequest` if `request` is not valid.
    public func pages(
        of request: any HTTPRequestConvertible, limit: Int = 100
    ) throws -> HTTPPages {
        HTTPPages(session: self, pending: try PendingRequest(request), limit: limit)
    }

    /// Returns the pages of a collection decoded from JSON. See ``pages(of:limit:)``.
    public func pages<Page: Decodable & Sendable>(
        _ type: Page.Type, of request: any HTTPRequestConvertible, limit: Int = 100,
        decoder: JSONDecoder? = nil
    ) throws -> AsyncThrowingMapSequence<HTTPPages, Page> {
        try pages(of: request, limit: limit).json(type, decoder: decoder)
    }
}

extension HTTPResponse.Head {
    /// The URL that `Link` calls `next`, relative to this response. The link must lead from this
    /// response, not from an anchor elsewhere (RFC 8288 §3.2).
    ///
    /// - Throws: `invalidRequest` if the link's target is not a valid URL.
    package var nextPage: URL? {
        get throws(HTTPError) {
            let here = url.withoutFragment
            let link = headers.links.first { link in
                link.hasRelation("next")
                    && link.contextURL(relativeTo: url)?.withoutFragment == here
            }
            guard let link else { return nil }
            // As a redirect, so that a page is found wherever a `Location` would lead.
            return try ReceivedTarget(
                Array(link.target.utf8), from: url, inheritingFragment: false
            ).url
        }
    }
}

/// The visited pages of a collection, and the next one.
struct PageTrail {
    private enum Place {
        case first
        case after(HTTPResponse.Head)
        case over
    }

    private let first: HTTPRequest
    private let limit: Int
    private var place = Place.first
    private var seen: Set<String> = []
    /// The URL of the first request, even if a layer below made it absolute.
    private var home: URL?

    init(_ first: HTTPRequest, limit: Int) {
        self.first = first
        self.limit = limit
    }

    mutating func arrived(_ response: HTTPResponse) {
        place = .after(response.head)
        home = home ?? response.history.first?.url ?? response.url
    }

    mutating func end() { place = .over }

    /// Returns the request for the next page; `nil` after the last.
    mutating func next() throws(HTTPError) -> HTTPRequest? {
        let (previous, place) = (place, Place.over)
        self.place = place  // unless a response arrives, this is the end
        let request: HTTPRequest
        switch previous {
        case .over: return nil
        case .first: request = first
        case .after(let head):
            guard let url = try head.nextPage else { return nil }
            request = try following(to: url, head)
        }
        guard seen.count < limit else {
            throw .tooManyPages("there are more than \(limit) pages", request)
        }
        guard seen.insert(request.url.placeOfPage).inserted else {
            throw .tooManyPages("the pages lead back to an earlier page", request)
        }
        return request
    }

    private func following(
        to url: URL, _ head: HTTPResponse.Head
    ) throws(HTTPError) -> HTTPRequest {
        var request = first
        request.url = url
        let home = home ?? first.url
        let (origin, target) = (try HTTPOrigin(home), try HTTPOrigin(url))
        guard target != origin else { return request }
        if try HTTPOrigin(head.url).scheme == .https || origin.scheme == .https,
            target.scheme == .http
        {
            throw HTTPError(
                .redirectRefused,
                "the next page leads from https to http, where others can read it",
                mayHaveReachedServer: true, response: head
            ).ending(head.url, method: first.method)
        }
        // The session begins the call, as it does for the other pages: on its clock, with its
        // observer.
        request = first.led(by: origin)
        if let call = first.call {
            request = try request.beginningCall(like: call)
        }
        request.url = try URL(strictly: url.placeOfPage)  // without user information
        request.removeWhatBelongs(to: origin)
        return request
    }
}

extension HTTPError {
    fileprivate static func tooManyPages(_ reason: String, _ request: HTTPRequest) -> HTTPError {
        HTTPError(.tooManyPages, reason).ending(request)
    }
}

extension URL {
    /// The same string for all spellings of scheme, host and port.
    fileprivate var placeOfPage: String {
        guard let origin = try? HTTPOrigin(self), let uri = try? URIReference(absoluteString) else {
            return withoutFragment
        }
        return "\(origin)\(uri.path)" + (uri.query.map { "?\($0)" } ?? "")
    }

    fileprivate var withoutFragment: String { String(absoluteString.prefix { $0 != "#" }) }
}
