import HTTPCore
import HTTPFormats
import HTTPTesting
import PortableFoundation

/// A response of the origin of a test, with the framing that the original engine's server gives it.
struct CacheTestAnswer: Sendable {
    let status: CacheTestStatus
    /// The fields without those of the framing.
    private let fields: CacheTestFields
    private let text: String
    var interimResponses: [CacheTestInterim] = []
    /// `true` if the origin closes the connection instead of sending the response.
    var disconnects = false
    var isToHEAD = false
    var date: Date

    init(
        _ status: CacheTestStatus, _ fields: CacheTestFields, content: String,
        date: Date = .distantPast
    ) {
        self.status = status
        self.fields = fields
        self.text = content
        self.date = date
    }

    private var hasNoContent: Bool { isToHEAD || status.hasNoContent }
    private var content: [UInt8] { hasNoContent ? [] : Array(text.utf8) }
    /// A transfer coding that no client knows: only the end of the connection ends the content.
    private var isUnframed: Bool { fields.contains("Transfer-Encoding") }

    /// All fields in the order in which they are sent.
    private var framedFields: CacheTestFields {
        var framed = fields
        if !fields.contains("Date") { framed.append("Date", "\(HTTPDate(date))") }
        if !fields.contains("Connection") {
            framed.append("Connection", "keep-alive")
            if !fields.contains("Keep-Alive") { framed.append("Keep-Alive", "timeout=5") }
        }
        if !hasNoContent, !isUnframed, !fields.contains("Content-Length") {
            framed.append("Content-Length", "\(content.count)")
        }
        return framed
    }

    /// The field section byte for byte. The original server encodes a head as it encodes the
    /// content that it writes with it: in UTF-8 with content, one byte for each character without.
    private var headers: HTTPHeaders { framedFields.headers(inUTF8: !hasNoContent) }
}

// MARK: - Without a connection

extension CacheTestAnswer {
    /// Returns the response as a transport would have it.
    ///
    /// - Throws: `connectionLost` if the origin disconnects.
    func response(to request: HTTPRequest) throws -> HTTPResponse {
        for interim in interimResponses {
            guard let status = HTTPStatus(code: interim.code) else { continue }
            let head = HTTPResponse.Head(
                status: status, headers: interim.sentFields.headers(), url: request.url,
                version: .http1_1)
            request.call?.report(.informational(head), exchange: request.call?.sends)
        }
        guard !disconnects, let code = HTTPStatus(code: status.code) else {
            throw HTTPError(
                .connectionLost, "the origin closed the connection", isRetryable: true)
        }
        let head = HTTPResponse.Head(
            status: code, headers: headers, url: request.url, version: .http1_1)
        // Content beyond the declared length is no part of the response.
        let length = fields.number("Content-Length") ?? content.count
        return HTTPResponse(
            head, body: HTTPBody(arrived: Data(content.prefix(max(0, length)))), to: request)
    }
}

// MARK: - On a connection

extension CacheTestAnswer {
    /// Returns the script that sends the response, byte for byte as the original server does.
    func script(answering request: LoopbackRequest) -> LoopbackScript {
        guard !disconnects else { return [.close] }
        var bytes: [UInt8] = []
        for interim in interimResponses {
            bytes += Self.head(
                CacheTestStatus(interim.code, "Interim"), interim.sentFields.headers())
        }
        bytes += Self.head(status, headers) + content
        return isUnframed || !request.keepsConnection
            ? [.send(bytes), .close] : [.send(bytes)]
    }

    private static func head(_ status: CacheTestStatus, _ headers: HTTPHeaders) -> [UInt8] {
        var bytes = Array("HTTP/1.1 \(status.code) \(status.phrase)\r\n".utf8)
        for position in headers.indices {
            headers.withBytes(at: position) { name, value in
                bytes += name + Array(": ".utf8) + value + Array("\r\n".utf8)
            }
        }
        return bytes + Array("\r\n".utf8)
    }
}

extension CacheTestInterim {
    fileprivate var sentFields: CacheTestFields {
        CacheTestFields(fields.map { ($0.name, $0.value.text) })
    }
}
