import HTTPTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A request as a line of JSON: its method, target, fields in order, and content in Base64.
struct RequestRecord: Encodable {
    let method: String
    let target: String
    let fields: [[String]]
    let content: String

    init(_ request: LoopbackRequest) {
        method = request.method
        target = request.target
        fields = request.fields.map { [$0.name, $0.value] }
        content = Data(request.content ?? []).base64EncodedString()
    }

    /// The record without a line end; empty if it cannot be written.
    var line: String {
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
