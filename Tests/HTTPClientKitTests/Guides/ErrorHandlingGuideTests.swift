import HTTPClientKit
import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation

private struct User: Codable {
    var name: String
}

private struct Outage: Error {
    var reason: String
}

private struct BadContract: Error {
    var status: HTTPStatus?
    var beginning: Data?
}

/// Returns `true` if sending the same request again may succeed, and cannot repeat its effect.
private func mayQueue(after error: HTTPError) -> Bool {
    error.isRetryable && !error.mayHaveReachedServer
}

/// A service that answers as its client does with one user.
private struct Users {
    let client: HTTPClient

    func user(_ id: Int) async throws -> User? {
        do {
            return try await client.get("users/\(id)").json(User.self)
        } catch let error as HTTPError {
            switch error.innermostCode {
            case .unexpectedStatus where error.status == .notFound:
                return nil
            case .nameNotResolved, .cannotConnect, .connectionLost, .timedOut:
                throw Outage(reason: error.message)
            case .decodingFailed, .unexpectedContentType:
                throw BadContract(status: error.status, beginning: error.bodyPrefix)
            default:
                throw error
            }
        }
    }
}

private func explanation(of error: HTTPError) -> String {
    if let problem = error.problemDetails { return problem.detail ?? problem.title ?? problem.type }
    guard let status = error.status else { return error.message }
    let body = error.bodyPrefix.map { String(decoding: $0, as: UTF8.self) } ?? ""
    return "\(status.code) \(body.prefix(80))"
}

/// The code of Docs/Guides/ErrorHandling.md, word for word, and its tables.
@Suite(.timeLimit(.minutes(5))) struct ErrorHandlingGuideTests {
    private func users(
        retry: RetryPolicy = .none,
        _ answer: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse
    ) throws -> Users {
        Users(
            client: try HTTPClient(
                baseURL: "https://api.example.com/", transport: MockSession { try answer($0) },
                retry: retry))
    }

    @Test func `a status is a result`() async throws {
        let ada = try users { HTTPResponse(.ok, body: HTTPBody(#"{"name": "Ada"}"#), to: $0) }
        #expect(try await ada.user(1)?.name == "Ada")
        #expect(try await users { HTTPResponse(.notFound, to: $0) }.user(2) == nil)
        await #expect(throws: HTTPError.self) {
            try await users { HTTPResponse(.forbidden, to: $0) }.user(2)
        }
    }

    @Test(arguments: [0, 2])
    func `the network is an outage, and another type a breach`(retries: Int) async throws {
        var policy = RetryPolicy.standard
        policy.maxRetries = retries
        policy.backoff = Backoff(base: .zero)
        let down = try users(retry: policy) { _ in
            throw HTTPError(.cannotConnect, "nothing listens", isRetryable: true)
        }
        let outage = await #expect(throws: Outage.self) { try await down.user(1) }
        let note = retries == 0 ? "" : "after \(retries + 1) attempts: "
        #expect(outage?.reason == note + "nothing listens")
        let odd = try users(retry: policy) { HTTPResponse(.ok, body: HTTPBody("<p>"), to: $0) }
        let breach = await #expect(throws: BadContract.self) { try await odd.user(1) }
        #expect(breach?.status == .ok)
        #expect(breach?.beginning == Data("<p>".utf8))
    }

    @Test func `cancellation stays what it is`() async throws {
        let cancelled = try users { _ in throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await cancelled.user(1) }
    }

    @Test func `what the server said`() throws {
        func error(_ type: String, _ body: String) throws -> HTTPError {
            let response = HTTPResponse(
                .conflict, headers: [.contentType: type],
                to: try HTTPRequest("https://h/"))
            return HTTPError(
                .unexpectedStatus, "no", response: response.head, body: Data(body.utf8))
        }
        #expect(
            explanation(of: try error("application/problem+json", #"{"detail": "spent"}"#))
                == "spent")
        #expect(
            explanation(of: try error("application/problem+json", #"{"title": "Paid"}"#)) == "Paid")
        #expect(explanation(of: try error("text/plain", "taken")) == "409 taken")
        #expect(explanation(of: HTTPError(.timedOut, "late")) == "late")
    }

    @Test func `only what was not sent may be sent again`() {
        let fresh = HTTPError(.cannotConnect, "", isRetryable: true)
        let sent = HTTPError(
            .connectionLost, "", isRetryable: true, mayHaveReachedServer: true)
        #expect(mayQueue(after: fresh))
        #expect(!mayQueue(after: sent))
        #expect(!mayQueue(after: HTTPError(.serverNotTrusted, "")))
    }

    @Test(arguments: [RetryPolicy.none, .standard])
    private func `and a queue is told the same with and without retries`(
        retry: RetryPolicy
    ) async throws {
        let ends: [(HTTPError, mayQueue: Bool)] = [
            (HTTPError(.cannotConnect, "", phase: .connecting, isRetryable: true), true),
            (HTTPError(.tlsFailed, "", phase: .securing, isRetryable: true), true),
            (HTTPError(.connectionLost, "", phase: .waiting, isRetryable: true), false),
            (HTTPError(.serverNotTrusted, "", phase: .securing), false),
        ]
        for (end, isExpected) in ends {
            let client = HTTPClient(transport: MockSession { _ in throw end }, retry: retry) {
                $0.clock = BriskClock()
            }
            let error = await #expect(throws: HTTPError.self) {
                try await client.post("https://h/", .text("x")).maxRetries(2).response()
            }
            #expect(error?.code == end.code)
            #expect(error.map { mayQueue(after: $0) } == isExpected, "\(end)")
        }
    }

    @Test func `cancelling and time limits`() async throws {
        let mock = MockSession { _ in
            throw HTTPError(
                .timedOut, "late", phase: .waiting, timer: HTTPError.Timer(.deadline, .seconds(5)))
        }
        let client = try HTTPClient(baseURL: "https://api.example.com/", transport: mock)
        do {
            try await client.get("report").with { $0.deadline(in: .seconds(5)) }.response()
        } catch is CancellationError {
            print("the caller lost interest: nothing to report")
        } catch let error as HTTPError where error.innermostCode == .timedOut {
            let limit = error.timer.map { "\($0)" } ?? "a limit"
            print(limit, "passed in phase", error.phase ?? .preparing)
        }
        #expect(mock.requests.count == 1)
    }

    @Test func `the page shows this code`() throws {
        let page = try GuidePage("ErrorHandling")
        #expect(page.blocks.count == 4)
        #expect(page.untested == [])
    }

    // MARK: The tables

    private static let root = #filePath.split(separator: "/Tests/").dropLast()
        .joined(separator: "/Tests/")

    /// Returns the first cells of the rows of all tables that begin with `head`. A row must have as
    /// many cells as the head, and none may be empty.
    private static func tableRows(under head: String) throws -> [String] {
        var (names, columns) = ([String](), 0)
        for line in try GuidePage("ErrorHandling").text.split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            if line.hasPrefix(head) {
                columns = cells.count
            } else if !line.hasPrefix("|") {
                columns = 0
            } else if columns > 0, !line.hasPrefix("|-") {
                #expect(cells.count == columns, "\(line)")
                #expect(cells.dropFirst().dropLast().allSatisfy { $0.contains { $0 != " " } })
                names.append(
                    cells[1].split(separator: "`").dropFirst().first.map(String.init) ?? "")
            }
        }
        return names
    }

    /// Returns what stands in `text` between each `opening` and the next `closing`.
    private static func words(
        in text: String, after opening: String, before closing: String
    ) -> [String] {
        text.split(separator: opening, omittingEmptySubsequences: false).dropFirst().compactMap {
            $0.split(separator: closing, omittingEmptySubsequences: false).first.map(String.init)
        }
    }

    /// The public codes that the sources declare.
    private static func codes() throws -> [String] {
        let sources = "\(root)/Sources"
        var codes: [String] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources)
        where path.hasSuffix(".swift") {
            let source = try String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8)
            // A file may begin with the extension.
            let parts = source.split(
                separator: "extension HTTPError.Code {", omittingEmptySubsequences: false)
            for part in parts.dropFirst() {
                let body = part.split(separator: "\n}", maxSplits: 1).first ?? part
                let declared = words(
                    in: String(body), after: "public static var ", before: ":")
                codes += declared
                // Code reads a code by its name, and a log shows its raw value.
                #expect(
                    words(in: String(body), after: "Self(rawValue: \"", before: "\"")
                        .filter { !declared.contains($0) } == [],
                    "a name and its raw value differ in \(path)")
            }
        }
        return codes
    }

    @Test func `every code of every target has one row, and every row has a code`() throws {
        let (rows, codes) = (try Self.tableRows(under: "| code |"), try Self.codes())
        #expect(codes.count >= 53)
        #expect(Set(codes).subtracting(rows) == [], "codes without a row")
        #expect(Set(rows).subtracting(codes) == [], "rows without a code")
        #expect(rows.count == Set(rows).count, "a code has two rows")
    }

    @Test func `every timer has one row, and every row has a timer`() throws {
        let source = try String(
            contentsOfFile: "\(Self.root)/Sources/HTTPCore/Message/HTTPError.swift",
            encoding: .utf8)
        let body = try #require(
            Self.words(in: source, after: "public enum Name: ", before: "\n        }").first)
        let timers = body.split(separator: "\n").compactMap { line -> String? in
            let line = line.trimmingPrefix(while: \.isWhitespace)
            return line.hasPrefix("case ") && !line.contains(".")
                ? String(line.dropFirst("case ".count)) : nil
        }
        #expect(timers.count >= 4)
        #expect(try Self.tableRows(under: "| timer |").sorted() == timers.sorted())
    }
}
