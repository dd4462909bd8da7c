import ConformanceVectors
import HTTPCore
import Testing

/// Every registered value can be used, and every constant is a registered value; the lists below
/// name each constant there is.
@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct HTTPCoreIANAConformanceTests {
    struct Status: Decodable {
        var id: String
        var code: Int
        var reason: String?
    }

    @Test func `every registered status has a constant and its phrase`() throws {
        var report = ConformanceReport("iana/status-codes")
        for value in try ConformanceData.cases("iana/status-codes.json", as: Status.self) {
            let constant = Self.statuses.first { $0.code == value.code }
            report.record(
                value.id,
                HTTPStatus(code: value.code)?.reasonPhrase == value.reason ?? ""
                    && (constant != nil) == (value.reason != nil),
                "\(value.code)")
        }
        report.finish()
    }

    struct Method: Decodable {
        var id: String
        var method: String
        var safe: Bool
        var idempotent: Bool
    }

    @Test func `registered methods have their properties, and constants are registered`() throws {
        var report = ConformanceReport("iana/methods")
        var constants = Self.methods
        for value in try ConformanceData.cases("iana/methods.json", as: Method.self) {
            let method = HTTPMethod(value.method)
            constants.remove(method)
            report.record(
                value.id,
                method.isSafe == value.safe && method.isIdempotent == value.idempotent,
                "\(method): safe \(method.isSafe), idempotent \(method.isIdempotent)")
        }
        report.finish()
        #expect(constants.isEmpty)
    }

    struct FieldName: Decodable {
        var id: String
        var name: String
        var status: String
    }

    @Test func `a permanent name is a token, and a constant is spelled as registered`() throws {
        var report = ConformanceReport("iana/field-names (permanent)")
        let cases = try ConformanceData.cases("iana/field-names.json", as: FieldName.self)
        for value in cases where value.status == "permanent" {
            // `*` is a member of Vary, never a field.
            report.record(
                value.id, HTTPHeaderName(value.name).isToken || value.name == "*", value.name)
        }
        report.finish()
        let registered = Set(cases.map(\.name))
        for name in Self.names { #expect(registered.contains(name.spelling)) }
    }

    private static let statuses: [HTTPStatus] = [
        .continue, .switchingProtocols, .processing, .earlyHints,
        .uploadResumptionSupported, .ok, .created, .accepted,
        .nonAuthoritativeInformation, .noContent, .resetContent, .partialContent,
        .multiStatus, .alreadyReported, .imUsed, .multipleChoices,
        .movedPermanently, .found, .seeOther, .notModified, .useProxy,
        .temporaryRedirect, .permanentRedirect, .badRequest, .unauthorized,
        .paymentRequired, .forbidden, .notFound, .methodNotAllowed, .notAcceptable,
        .proxyAuthenticationRequired, .requestTimeout, .conflict, .gone,
        .lengthRequired, .preconditionFailed, .contentTooLarge, .uriTooLong,
        .unsupportedMediaType, .rangeNotSatisfiable, .expectationFailed,
        .misdirectedRequest, .unprocessableContent, .locked, .failedDependency,
        .tooEarly, .upgradeRequired, .preconditionRequired, .tooManyRequests,
        .requestHeaderFieldsTooLarge, .unavailableForLegalReasons,
        .internalServerError, .notImplemented, .badGateway, .serviceUnavailable,
        .gatewayTimeout, .httpVersionNotSupported, .variantAlsoNegotiates,
        .insufficientStorage, .loopDetected, .notExtended,
        .networkAuthenticationRequired,
    ]

    private static let methods: Set<HTTPMethod> = [
        .connect, .delete, .get, .head, .options, .patch, .post, .put, .query, .trace,
    ]

    private static let names: [HTTPHeaderName] = [
        .accept, .acceptEncoding, .acceptLanguage, .acceptRanges, .age, .allow,
        .authorization, .cacheControl, .connection, .contentDisposition, .contentEncoding,
        .contentLanguage, .contentLength, .contentLocation, .contentRange, .contentType,
        .cookie, .date, .eTag, .expect, .expires,
        .host, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange, .ifUnmodifiedSince,
        .keepAlive, .lastEventID, .lastModified, .link, .location, .origin,
        .priority, .proxyAuthenticate, .proxyAuthorization, .range, .referer, .retryAfter,
        .server, .setCookie, .te, .traceparent, .tracestate, .trailer,
        .transferEncoding, .upgrade, .userAgent, .vary, .via, .wwwAuthenticate,
        .altSvc, .authenticationInfo, .proxyAuthenticationInfo, .serverTiming,
        .strictTransportSecurity,
    ]
}
