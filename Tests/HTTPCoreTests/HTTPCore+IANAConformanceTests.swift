import ConformanceVectors
import HTTPCore
import Testing

/// Every registered value has a constant; the lists below name each constant there is.
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

    @Test func `every registered method has a constant and its properties`() throws {
        var report = ConformanceReport("iana/methods")
        for value in try ConformanceData.cases("iana/methods.json", as: Method.self) {
            let method = HTTPMethod(value.method)
            let isReserved = method == "*" || method == "PRI"
            report.record(
                value.id,
                method.isSafe == value.safe && method.isIdempotent == value.idempotent
                    && Self.methods.contains(method) == !isReserved,
                "\(method): safe \(method.isSafe), idempotent \(method.isIdempotent)")
        }
        report.finish()
    }

    struct FieldName: Decodable {
        var id: String
        var name: String
        var status: String
    }

    @Test func `every permanent field name has a constant, spelled as registered`() throws {
        var report = ConformanceReport("iana/field-names (permanent)")
        let spellings = Set(Self.names.map(\.spelling))
        let cases = try ConformanceData.cases("iana/field-names.json", as: FieldName.self)
        for value in cases where value.status == "permanent" {
            // `*` is a member of Vary, never a field.
            report.record(value.id, spellings.contains(value.name) || value.name == "*", value.name)
        }
        report.finish()
        #expect(spellings.count == Self.names.count)
        // Every registered value, of any status, has the spelling of the registry.
        let registered = Dictionary(cases.map { ($0.name.lowercased(), $0.name) }) { first, _ in
            first
        }
        for spelling in spellings {
            #expect(registered[spelling.lowercased()] ?? spelling == spelling)
        }
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
        .acl, .baselineControl, .bind, .checkIn, .checkOut, .connect, .copy,
        .delete, .get, .head, .label, .link, .lock, .merge, .mkActivity,
        .mkCalendar, .mkCol, .mkRedirectRef, .mkWorkspace, .move, .options,
        .orderPatch, .patch, .post, .propFind, .propPatch, .put, .query, .rebind,
        .report, .search, .trace, .unbind, .uncheckOut, .unlink, .unlock, .update,
        .updateRedirectRef, .versionControl,
    ]

    private static let names: [HTTPHeaderName] = [
        .aIM, .accept, .acceptAdditions, .acceptCH, .acceptCharset, .acceptDatetime,
        .acceptEncoding, .acceptFeatures, .acceptLanguage, .acceptPatch,
        .acceptPost, .acceptQuery, .acceptRanges, .acceptSignature,
        .accessControlAllowCredentials, .accessControlAllowHeaders,
        .accessControlAllowMethods, .accessControlAllowOrigin,
        .accessControlExposeHeaders, .accessControlMaxAge,
        .accessControlRequestHeaders, .accessControlRequestMethod, .age, .allow,
        .alpn, .altSvc, .altUsed, .alternates, .applyToRedirectRef,
        .authenticationControl, .authenticationInfo, .authorization,
        .availableDictionary, .cacheControl, .cacheGroupInvalidation, .cacheGroups,
        .cacheStatus, .calManagedID, .calDAVTimezones, .capsuleProtocol,
        .cdnCacheControl, .cdnLoop, .certNotAfter, .certNotBefore, .clearSiteData,
        .clientCert, .clientCertChain, .close, .concealedAuthExport, .connection,
        .contentDigest, .contentDisposition, .contentEncoding, .contentLanguage,
        .contentLength, .contentLocation, .contentRange, .contentSecurityPolicy,
        .contentSecurityPolicyReportOnly, .contentType, .cookie,
        .crossOriginEmbedderPolicy, .crossOriginEmbedderPolicyReportOnly,
        .crossOriginOpenerPolicy, .crossOriginOpenerPolicyReportOnly,
        .crossOriginResourcePolicy, .dasl, .date, .dav, .deltaBase, .deprecation,
        .depth, .destination, .detachedJWS, .dictionaryID, .dpop, .dpopNonce,
        .earlyData, .entityTag, .expect, .expires, .forwarded, .from, .hobareg,
        .host, .if, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange,
        .ifScheduleTagMatch, .ifUnmodifiedSince, .im,
        .includeReferredTokenBindingID, .keepAlive, .label, .lastEventID,
        .lastModified, .link, .linkTemplate, .location, .lockToken, .maxForwards,
        .mementoDatetime, .meter, .mimeVersion, .negotiate, .nel, .odataEntityID,
        .odataIsolation, .odataMaxVersion, .odataVersion, .optionalWWWAuthenticate,
        .orderingType, .origin, .originAgentCluster, .oscore, .oslcCoreVersion,
        .overwrite, .pingFrom, .pingTo, .position, .prefer, .preferenceApplied,
        .priority, .proxyAuthenticate, .proxyAuthenticationInfo,
        .proxyAuthorization, .proxyStatus, .publicKeyPins, .publicKeyPinsReportOnly,
        .range, .redirectRef, .referer, .referrerPolicy, .refresh, .replayNonce,
        .reprDigest, .retryAfter, .scheduleReply, .scheduleTag, .secFetchDest,
        .secFetchMode, .secFetchSite, .secFetchUser, .secPurpose, .secTokenBinding,
        .secWebSocketAccept, .secWebSocketExtensions, .secWebSocketKey,
        .secWebSocketProtocol, .secWebSocketVersion, .server, .serverTiming,
        .setCookie, .setTxn, .signature, .signatureInput, .slug, .soapAction,
        .statusURI, .strictTransportSecurity, .sunset, .tcn, .te, .timeout, .topic,
        .traceparent, .tracestate, .trailer, .transferEncoding, .ttl, .upgrade,
        .urgency, .useAsDictionary, .userAgent, .variantVary, .vary, .via,
        .wantContentDigest, .wantReprDigest, .wwwAuthenticate, .xContentTypeOptions,
        .xFrameOptions,
    ]
}
