import HTTPCore
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPRequestPreparingTests {
    private let request: HTTPRequest

    init() throws { request = try HTTPRequest(.get, "https://h/") }

    private final class Count: Sendable {
        private let count = Locked(0)
        func next() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
    }

    // MARK: The last change

    @Test(.rows("S1-25"))
    func `changes run in the order they were asked for, on all that was set before and after`()
        throws
    {
        let changed =
            request
            .modify { $0.headers["X-Seen"] = $0.headers["X-A"] }
            .modify { $0.headers["X-Seen"] = ($0.headers["X-Seen"] ?? "") + "!" }
            .header("X-A", "set later")
        #expect(changed.headers["X-Seen"] == nil)
        #expect(try changed.prepared().headers["X-Seen"] == "set later!")
        #expect(try request.prepared().headers.isEmpty)
    }

    @Test(.rows("S0-23", "S1-25"))
    func `the original is prepared anew each time, the outcome not again`() throws {
        let count = Count()
        let signed = request.modify { $0.headers["X-Count"] = "\(count.next())" }
        let first = try signed.prepared()
        #expect(first.headers["X-Count"] == "1")
        #expect(try first.prepared().headers["X-Count"] == "1")
        #expect(try signed.prepared().headers["X-Count"] == "2")
    }

    @Test(.rows("S1-25"))
    func `the last session of a chain prepares what no middleware prepared`() async throws {
        let count = Count()
        let session = MockSession { request in HTTPResponse(.ok, to: request) }
        let signed = request.modify { $0.headers["X-Count"] = "\(count.next())" }
        for _ in 0..<2 { _ = try await session.response(for: signed) }
        #expect(session.requests.map { $0.headers["X-Count"] } == ["1", "2"])
        _ = try await session.response(for: signed.prepared())
        #expect(session.requests.last?.headers["X-Count"] == "3")
    }

    @Test(.rows("S1-25"))
    func `what a change throws is inside the error, and nothing is sent`() async throws {
        struct Refusal: Error, Equatable {}
        let session = MockSession { request in HTTPResponse(.ok, to: request) }
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request.modify { _ in throw Refusal() })
        }
        #expect(error?.code == .preparationFailed)
        #expect(error?.phase == .preparing)
        #expect(error?.underlyingError is Refusal)
        #expect(session.requests.isEmpty)

        let own = #expect(throws: HTTPError.self) {
            try request.modify { _ in throw HTTPError(.sessionClosed, "closed") }.prepared()
        }
        #expect(own?.code == .sessionClosed)
        #expect(throws: CancellationError.self) {
            try request.modify { _ in throw CancellationError() }.prepared()
        }
    }

    @Test(.rows("S1-25"))
    func `a change may not ask for another`() {
        let error = #expect(throws: HTTPError.self) {
            try request.modify { $0 = $0.modify { _ in } }.prepared()
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test(.rows("S1-25"))
    func `a change that makes the request bad is refused before anything is sent`()
        async throws
    {
        let session = MockSession { request in HTTPResponse(.ok, to: request) }
        let error = await #expect(throws: HTTPError.self) {
            try await session.response(for: request.modify { $0.headers["X"] = "a\nb" })
        }
        #expect(error?.code == .invalidRequest)
        #expect(session.requests.isEmpty)
    }

    // MARK: The boundary of a multipart body

    private var form: MultipartForm {
        get throws {
            var form = try MultipartForm(boundary: "edge")
            form.add("v", name: "n")
            return form
        }
    }

    @Test(.rows("S0-3", "S1-23"))
    func `a multipart type that was set after the form gets the boundary`() throws {
        let sent = try request.multipart(form).header(.contentType, "multipart/mixed").prepared()
        #expect(sent.headers[values: .contentType] == ["multipart/mixed; boundary=edge"])
        let removed = try request.multipart(form).header(.contentType, nil).prepared()
        #expect(removed.headers[.contentType] == "multipart/form-data; boundary=edge")
    }

    @Test(.rows("S1-23"))
    func `a type that is no multipart stays`() throws {
        let sent = try request.multipart(form).header(.contentType, "a/b").prepared()
        #expect(sent.headers[values: .contentType] == ["a/b"])
    }

    @Test(.rows("S1-23"))
    func `another boundary than the body's is refused`() throws {
        let error = #expect(throws: HTTPError.self) {
            try request.multipart(form)
                .header(.contentType, "multipart/form-data; boundary=other").prepared()
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test(.rows("S1-23"))
    func `a boundary goes with its body`() throws {
        var sent = try request.multipart(form).header(.contentType, "multipart/mixed")
        sent.body = HTTPBody("x")
        #expect(try sent.prepared().headers[.contentType] == "multipart/mixed")
        #expect(
            try request.multipart(form).text("x").prepared().headers[.contentType]
                == "text/plain; charset=utf-8")
    }
}
