/// One request of a test: what the client sends, what the origin answers, and what is expected of
/// both.
struct CacheTestRequest: Sendable {
    /// The part of an exchange that is checked. ``setupTests`` uses these names.
    enum Check: String, Sendable {
        case type = "expected_type"
        case method = "expected_method"
        case status = "expected_status"
        case requestHeaders = "expected_request_headers"
        case requestHeadersMissing = "expected_request_headers_missing"
        case responseHeaders = "expected_response_headers"
        case responseHeadersMissing = "expected_response_headers_missing"
        case responseText = "expected_response_text"
        case interimResponses = "expected_interim_responses"
    }

    enum ExpectedType: String, Decodable, Sendable {
        case cached
        case notCached = "not_cached"
        case entityTagRevalidated = "etag_validated"
        case lastModifiedRevalidated = "lm_validated"

        var isRevalidated: Bool {
            self == .entityTagRevalidated || self == .lastModifiedRevalidated
        }
    }

    /// A value that a test can leave out, which calls for the default check, or set to `null`,
    /// which turns the check off.
    enum Expected<Value: Sendable & Decodable>: Sendable {
        case byDefault, anything
        case exactly(Value)
    }

    // Sent by the client.
    var method: String?
    var headers: [CacheTestField]
    var body: String?
    var fileName: String?
    var query: String?
    var cacheMode: String?
    /// `true` if dates in the request count from the previous response.
    var countsDatesFromPreviousResponse: Bool
    var pausesAfterwards: Bool

    // Sent by the origin.
    var status: CacheTestStatus?
    var responseHeaders: [CacheTestField]
    var responseBody: String?
    var interimResponses: [CacheTestInterim]
    /// The number of seconds by which the origin delays its response.
    var responsePause: Int
    var disconnects: Bool
    /// `true` if `Location` and `Content-Location` are relative to the test's own URL.
    var completesLocations: Bool
    /// The names of the fields whose dates have the form of RFC 850, in lower case.
    var fieldsInRFC850Form: [String]

    // Expected of both.
    var expectedType: ExpectedType?
    var expectedMethod: String?
    var expectedStatus: Expected<Int>
    var expectedText: Expected<String>
    var expectedRequestHeaders: [CacheTestExpectation]
    var missingRequestHeaders: [CacheTestExpectation]
    var expectedResponseHeaders: [CacheTestExpectation]
    var missingResponseHeaders: [CacheTestExpectation]
    var expectedInterimResponses: [CacheTestInterim]?
    var checksBody: Bool
    private var isSetup: Bool
    private var setupTests: [String]

    /// Returns `true` if a failure of `check` means that the test could not be done, not that the
    /// cache failed it.
    func isSetup(_ check: Check) -> Bool { isSetup || setupTests.contains(check.rawValue) }
}

extension CacheTestRequest: Decodable {
    private enum CodingKeys: String, CodingKey {
        case requestMethod, requestHeaders, requestBody, filename, queryArg, cache, magicIms
        case pauseAfter, responseStatus, responseHeaders, responseBody, interimResponses
        case responsePause, disconnect, magicLocations, rfc850date, expectedType, expectedMethod
        case expectedStatus, expectedResponseText, expectedRequestHeaders
        case expectedRequestHeadersMissing, expectedResponseHeaders
        case expectedResponseHeadersMissing, expectedInterimResponses, checkBody, setup, setupTests
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func optional<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
            try values.decodeIfPresent(Value.self, forKey: key)
        }
        func list<Value: Decodable>(_ key: CodingKeys) throws -> [Value] { try optional(key) ?? [] }
        func flag(_ key: CodingKeys) throws -> Bool { try optional(key) ?? false }
        func expected<Value>(_ key: CodingKeys) throws -> Expected<Value> {
            guard values.contains(key) else { return .byDefault }
            let value: Value? = try optional(key)
            return value.map { .exactly($0) } ?? .anything
        }

        method = try optional(.requestMethod)
        headers = try list(.requestHeaders)
        body = try optional(.requestBody)
        fileName = try optional(.filename)
        query = try optional(.queryArg)
        cacheMode = try optional(.cache)
        countsDatesFromPreviousResponse = try flag(.magicIms)
        pausesAfterwards = try flag(.pauseAfter)

        status = try optional(.responseStatus)
        responseHeaders = try list(.responseHeaders)
        responseBody = try optional(.responseBody)
        interimResponses = try list(.interimResponses)
        responsePause = try optional(.responsePause) ?? 0
        disconnects = try flag(.disconnect)
        completesLocations = try flag(.magicLocations)
        fieldsInRFC850Form = try list(.rfc850date)

        expectedType = try optional(.expectedType)
        expectedMethod = try optional(.expectedMethod)
        expectedStatus = try expected(.expectedStatus)
        expectedText = try expected(.expectedResponseText)
        expectedRequestHeaders = try list(.expectedRequestHeaders)
        missingRequestHeaders = try list(.expectedRequestHeadersMissing)
        expectedResponseHeaders = try list(.expectedResponseHeaders)
        missingResponseHeaders = try list(.expectedResponseHeadersMissing)
        expectedInterimResponses = try optional(.expectedInterimResponses)
        checksBody = try optional(.checkBody) ?? true
        isSetup = try flag(.setup)
        setupTests = try list(.setupTests)
    }
}
