import HTTPCore
import PortableFoundation

/// The response to a request, or its error, as one line of JSON.
struct CacheClientReply: Encodable {
    private struct Interim: Encodable {
        var status: Int
        var headers: [[String]]

        func encode(to encoder: any Encoder) throws {
            var values = encoder.unkeyedContainer()
            try values.encode(status)
            try values.encode(headers)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, status, statusText, url, headers, interim, error
        case body = "body_b64"
    }

    private var id: Int?
    private var status: Int?
    private var statusText: String?
    private var url: String?
    private var headers: [[String]]?
    private var body: Data?
    private var interim: [Interim]?
    private var error: String?

    /// Sends the request of a line, and waits for the whole response.
    init(to line: String, over sessions: CachedSessions) async {
        do {
            let request = try JSONDecoder().decode(CacheClientRequest.self, from: Data(line.utf8))
            id = request.id
            let interims = InterimHeads()
            let response = try await sessions[request.session ?? ""].response(
                for: request.httpRequest().beginningCall(observer: interims))
            body = try await response.body.collect()
            status = response.status.code
            statusText = response.status.reasonPhrase
            url = response.url.absoluteString
            headers = response.headers.pairs
            interim = interims.all.map { head in
                Interim(status: head.status.code, headers: head.headers.pairs)
            }
        } catch {
            self.error = "\(error)"
        }
    }

    var line: String {
        guard let json = try? JSONEncoder().encode(self) else { return "{}" }
        return String(decoding: json, as: UTF8.self)
    }
}

/// The heads of the interim responses of a call.
private final class InterimHeads: HTTPObserver {
    private let heads = Locked([HTTPResponse.Head]())

    var all: [HTTPResponse.Head] { heads.withLock { $0 } }

    func observe(_ event: HTTPEvent) {
        guard case .informational(let head) = event.kind else { return }
        heads.withLock { $0.append(head) }
    }
}

extension HTTPHeaders {
    /// The names and the values, with one character for each byte.
    fileprivate var pairs: [[String]] {
        indices.map { position in
            withBytes(at: position) { name, value in [name, value].map(\.isomorphicText) }
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isomorphicText: String {
        var scalars = String.UnicodeScalarView()
        for byte in self { scalars.append(Unicode.Scalar(byte)) }
        return String(scalars)
    }
}
