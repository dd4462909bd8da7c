public import HTTPCore
import PortableFoundation

/// An endpoint that sends a value: `String` and `Data` as they are, any other value as JSON.
///
/// `Content-Type` is the configuration's. Without one, it is `application/json` for an encoded
/// value, and `String` and `Data` have none.
public protocol HTTPBodyEndpoint: HTTPEndpoint {
    /// The type of the value that is sent.
    associatedtype RequestBody: Encodable & Sendable
    /// The value that is sent: `String` and `Data` as they are, any other as JSON.
    var body: RequestBody { get }
}

extension HTTPBodyEndpoint {
    public func content(
        for configuration: HTTPEndpointConfiguration
    ) throws -> HTTPRequestContent {
        let (body, type) = (body, configuration.contentType)
        switch body {
        case let text as String: return .data(Data(text.utf8), contentType: type)
        case let bytes as Data: return .data(bytes, contentType: type)
        default:
            return HTTPRequestContent { request, formats in
                let typed = type.map { request.header(.contentType, $0.description) } ?? request
                return try typed.json(body, encoder: configuration.encoder ?? formats.encoder)
            }
        }
    }
}

/// An endpoint whose method is GET.
public protocol HTTPGetEndpoint: HTTPEndpoint {}
/// An endpoint with a body whose method is POST.
public protocol HTTPPostEndpoint: HTTPBodyEndpoint {}
/// An endpoint with a body whose method is PUT.
public protocol HTTPPutEndpoint: HTTPBodyEndpoint {}
/// An endpoint with a body whose method is PATCH.
public protocol HTTPPatchEndpoint: HTTPBodyEndpoint {}
/// An endpoint whose method is DELETE, without a body.
public protocol HTTPDeleteEndpoint: HTTPEndpoint {}

extension HTTPGetEndpoint {
    public var method: HTTPMethod { .get }
}
extension HTTPPostEndpoint {
    public var method: HTTPMethod { .post }
}
extension HTTPPutEndpoint {
    public var method: HTTPMethod { .put }
}
extension HTTPPatchEndpoint {
    public var method: HTTPMethod { .patch }
}
extension HTTPDeleteEndpoint {
    public var method: HTTPMethod { .delete }
}
