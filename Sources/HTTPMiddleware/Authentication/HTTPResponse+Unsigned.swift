import HTTPCore
import HTTPCredentials

/// The reasons for which a layer that signs requests has not signed a refused one. Another layer's
/// signature is no reason: that layer says itself why it was in vain.
extension HTTPResponse {
    /// Notes that a request was refused which a layer has not signed.
    ///
    /// - Parameter origin: The origin that the credentials of the layer are for.
    mutating func noteUnsigned(_ request: HTTPRequest, byCredentialsFor origin: HTTPOrigin) {
        guard !request.headers.contains(.authorization) else {
            return noteOwnCredentials(of: request, refusedWith: status, in: .authorization)
        }
        guard reasons.isEmpty, !originalRequest.headers.contains(.authorization),
            let target = try? request.origin(), target != origin
        else { return }
        handBack(because: "the credentials for \(origin) are not sent to \(target)")
    }

    /// Notes that credentials were refused that the caller has set on a request.
    mutating func noteOwnCredentials(
        of request: HTTPRequest, refusedWith refusal: HTTPStatus, in field: HTTPHeaderName
    ) {
        guard status == refusal, let origin = try? request.origin(),
            !request.isIssued(field, by: origin)
        else { return }
        handBack(because: "the request has its own \(field), which was refused")
    }
}
