import HTTPCodings
public import HTTPCore
import PortableFoundation

/// A request as it arrived, with its original spelling.
public struct LoopbackRequest: Sendable {
    /// The method, as it was received.
    public let method: String
    /// The request target as sent (RFC 9112 §3.2): `/a?b`, `http://host/a`, `host:443` or `*`.
    public let target: String
    /// The version that the client claims, such as `HTTP/1.1`.
    public let version: String
    /// The fields in order, with their names as sent. Only the whitespace around values is removed.
    ///
    /// Bytes that are not UTF-8 are replaced; `head` has the original bytes.
    public let fields: [(name: String, value: String)]
    /// The bytes of the head as they were on the wire, with the empty line that ends it.
    package let head: [UInt8]
    /// The content without its framing; `nil` if it had not all arrived or is beyond the limit.
    public internal(set) var content: [UInt8]?
    /// The number of bytes of content that had arrived.
    package internal(set) var contentCount = 0
    /// `true` if the whole request had arrived.
    package internal(set) var isComplete = false
    /// The fields after the last chunk.
    public internal(set) var trailers: [(name: String, value: String)] = []

    /// The value of the first field called `name`, in any case.
    public subscript(_ name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name.lowercased() == name }?.value
    }

    /// Returns the content without the codings that `Content-Encoding` names.
    ///
    /// - Throws: `contentDecodingFailed` if it is not what the field says, or has a coding that
    ///   cannot be decoded here.
    public func decodedContent() throws(HTTPError) -> [UInt8] {
        let values = fields.filter { $0.name.lowercased() == "content-encoding" }.map(\.value)
        let headers: HTTPHeaders = [.contentEncoding: values.joined(separator: ", ")]
        let codings = try HTTPContentCoding.codings(of: headers)
        guard !codings.isEmpty || ContentCodings(headers).names.isEmpty else {
            throw HTTPError(
                .contentDecodingFailed, "a coding of the request cannot be decoded here")
        }
        return Array(try ContentDecoder.decode(Data(content ?? []), codings))
    }

    /// The content as text, empty if there is none.
    public var text: String { String(decoding: content ?? [], as: UTF8.self) }

    /// The target up to its query.
    public var path: String { String(target.unicodeScalars.prefix { $0 != "?" }) }

    /// Returns the value of the parameter `name` in the query as sent, without percent-decoding.
    public func query(_ name: String) -> String? {
        let query = target.unicodeScalars.drop { $0 != "?" }.dropFirst()
        for parameter in query.split(separator: "&") {
            let parts = parameter.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if String(parts[0]) == name { return parts.count > 1 ? String(parts[1]) : "" }
        }
        return nil
    }

    /// `true` if the client keeps the connection after this exchange (RFC 9112 §9.3).
    package var keepsConnection: Bool {
        var options: [String] = []
        for field in fields where field.name.lowercased() == "connection" {
            options += field.value.lowercased().split(separator: ",").map {
                $0.filter { $0 != " " }
            }
        }
        if options.contains("close") { return false }
        return version != "HTTP/1.0" || options.contains("keep-alive")
    }
}
