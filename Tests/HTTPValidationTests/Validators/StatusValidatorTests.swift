import HTTPCore
import HTTPRetry
import HTTPTesting
import HTTPValidation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct StatusValidatorTests {
    private func accepts(_ rule: StatusValidator, _ code: Int) async throws -> Bool {
        let status = try #require(HTTPStatus(code: code))
        do {
            try await MockSession.answering(status).validated(by: rule)
            return true
        } catch let error as HTTPError {
            #expect(error.code == .unexpectedStatus)
            #expect(error.message == "Unexpected status code: \(code)")
            #expect(error.response?.status.code == code)
            return false
        }
    }

    // MARK: Allowed statuses

    @Test(.rows("S3-11"))
    func `one status`() async throws {
        #expect(try await accepts(.allowed(statusCode: 404), 404))
        #expect(try await !accepts(.allowed(statusCode: 404), 200))
    }

    @Test(.rows("S3-11"))
    func `a half-open range ends before its bound`() async throws {
        #expect(try await accepts(.allowed(statusCodes: 200..<300), 299))
        #expect(try await !accepts(.allowed(statusCodes: 200..<300), 300))
    }

    @Test(.rows("S3-11"))
    func `a closed range ends with its bound`() async throws {
        #expect(try await accepts(.allowed(statusCodes: 200...204), 204))
        #expect(try await !accepts(.allowed(statusCodes: 200...204), 205))
    }

    @Test(.rows("S3-11"))
    func `ranges without a bound, or with one far away, cost nothing`() async throws {
        #expect(try await accepts(.allowed(statusCodes: 0..<Int.max), 999))
        #expect(try await accepts(.allowed(statusCodes: Int.min...Int.max), 100))
        #expect(try await accepts(.allowed(statusCodes: 200...), 500))
        #expect(try await !accepts(.allowed(statusCodes: ..<400), 500))
    }

    @Test(.rows("S3-11"))
    func `several statuses, one by one or as a list`() async throws {
        #expect(try await accepts(.allowed(statusCodes: 200, 404), 404))
        #expect(try await !accepts(.allowed(statusCodes: 200, 404), 201))
        #expect(try await accepts(.allowed(statusCodes: [200, 404]), 404))
        #expect(try await !accepts(.allowed(statusCodes: [200, 404]), 201))
    }

    @Test(.rows("S3-11"))
    func `an empty list accepts nothing`() async throws {
        #expect(try await !accepts(.allowed(statusCodes: []), 200))
        #expect(try await !accepts(.allowed(statusCodes: 300..<300), 300))
    }

    @Test(.rows("S3-11"))
    func `a predicate`() async throws {
        #expect(try await accepts(StatusValidator { $0.isMultiple(of: 100) }, 500))
        #expect(try await !accepts(StatusValidator { $0.isMultiple(of: 100) }, 501))
    }

    // MARK: Several rules

    @Test(.rows("S3-12"))
    func `the first rule that objects wins`() async throws {
        let error = try await failure {
            try await MockSession.answering(.notFound).validated(
                by: .allowed(statusCodes: 200..<500), .allowed(statusCodes: 200..<400),
                ClosureValidator { _, _ in .invalid("too late") })
        }
        #expect(error.code == .unexpectedStatus)
    }

    @Test func `a failure passes`() async throws {
        let mock = MockSession { _ in throw HTTPError(.cannotConnect, "refused") }
        let error = try await failure { try await mock.validated(by: .allowed(statusCodes: [])) }
        #expect(error.code == .cannotConnect)
    }
}
