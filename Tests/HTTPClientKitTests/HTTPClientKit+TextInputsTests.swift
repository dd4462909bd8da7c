import HTTPClientKit
import HTTPFormats
import HTTPTesting
import HTTPTransportURLSession
import Testing
import PortableFoundation

/// Tests every public text that can reach a connection, with text that ends a line, a token or a C
/// string.
@Suite(.timeLimit(.minutes(5))) struct HTTPClientKitTextInputsTests {
    /// Text that would be parsed as more than one text.
    enum Poison: String, CaseIterable, Sendable {
        case carriageReturn = "a\rInjected: 1"
        case lineFeed = "a\nInjected: 1"
        case both = "a\r\nInjected: 1"
        case nul = "a\u{0}b"
        case delete = "a\u{7F}b"
        case blank = "a b"
        case separators = "a,b;c=d"
        case colon = "a:b"

        static let lineEnds: [Poison] = [.carriageReturn, .lineFeed, .both]
        /// Texts that no field value may contain.
        static let controls: [Poison] = lineEnds + [.nul, .delete]
        /// Texts that no token may contain.
        static let noTokens: [Poison] = allCases
    }

    /// A way for text into a request, and the expected result.
    struct Input: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var poisons: [Poison]
        /// A word of the error that names the input; `|` separates alternatives.
        var names: String
        var make: @Sendable (_ text: String, _ base: String) throws -> HTTPRequest
        var layers: @Sendable (_ text: String, _ base: String) throws -> [any HTTPClientMiddleware]

        init(
            _ description: String, _ poisons: [Poison] = Poison.controls, names: String = "",
            make: @escaping @Sendable (_ text: String, _ base: String) throws -> HTTPRequest
        ) {
            (testDescription, self.poisons, self.names) = (description, poisons, names)
            (self.make, layers) = (make, { _, _ in [] })
        }

        init(
            _ description: String, _ poisons: [Poison] = Poison.controls, names: String,
            layers: @escaping @Sendable (String, String) throws -> [any HTTPClientMiddleware]
        ) {
            (testDescription, self.poisons, self.names) = (description, poisons, names)
            (make, self.layers) = ({ try HTTPRequest(.get, $1) }, layers)
        }
    }

    private static func origin(_ base: String) throws -> HTTPOrigin { try HTTPOrigin(base) }

    private static func with(
        _ base: String, _ change: (inout HTTPRequest) throws -> Void
    ) throws -> HTTPRequest {
        var request = try HTTPRequest(.post, base, body: HTTPBody("body"))
        try change(&request)
        return request
    }

    // MARK: Refused

    static let refused: [Input] = [
        Input("a field's name", Poison.noTokens, names: "field") { text, base in
            try with(base) { $0.headers[HTTPHeaderName(text)] = "1" }
        },
        Input("a field's name, appended", Poison.noTokens, names: "field") { text, base in
            try with(base) { try $0.headers.append(HTTPHeaderName(text), "1") }
        },
        Input("a field's name in a literal", Poison.noTokens, names: "field") { text, base in
            try HTTPRequest(.get, base, headers: [HTTPHeaderName(text): "1"])
        },
        Input("a field's value", names: "X-Key") { text, base in
            try with(base) { $0.headers["X-Key"] = text }
        },
        Input("a field's value, set", names: "X-Key") { text, base in
            try with(base) { try $0.headers.set("X-Key", text) }
        },
        Input("a field's value by method", names: "X-Key") { text, base in
            try HTTPRequest(.get, base).header("X-Key", text)
        },
        Input("a field's value by closure", names: "X-Key") { text, base in
            try HTTPRequest(.get, base).headers { $0[values: "X-Key"] = ["1", text] }
        },
        Input("a method", Poison.noTokens, names: "method") { text, base in
            try HTTPRequest(HTTPMethod(text), base)
        },
        Input("a URL", Poison.controls + [.blank], names: "URL") { text, base in
            try HTTPRequest(.get, base + text)
        },
        Input("a host", Poison.noTokens, names: "host|URL") { text, base in
            try HTTPRequest(.get, base).with(host: text)
        },
        Input("a scheme", Poison.noTokens, names: "scheme") { text, base in
            try HTTPRequest(.get, base).with(scheme: text)
        },
        Input("an origin's host", Poison.noTokens, names: "host|URL") { text, base in
            try with(base) { $0.url = try URL(strictly: "\(HTTPOrigin(host: text))/") }
        },
        Input("a route", Poison.controls + [.blank], names: "URL") { text, base in
            try HTTPRequest(.get, base).route(text)
        },
        Input("a template", Poison.controls + [.blank], names: "template") { text, base in
            try HTTPRequest(template: URITemplate(strict: base + text), variables: [:])
        },
        Input("a product", names: "User-Agent", layers: { text, _ in [try UserAgent(text)] }),
        Input("a product among a client's fields", names: "User-Agent") { text, base in
            try HTTPRequest(.get, base, headers: .client(product: text))
        },
        Input(
            "a language among a client's fields", Poison.noTokens, names: "Accept-Language"
        ) { text, base in
            try HTTPRequest(
                .get, base, headers: .client(product: "p", languages: ["de", text]))
        },
        Input("content codings", Poison.noTokens, names: "Content-Encoding") { text, base in
            try with(base) { $0.headers.contentEncoding = ["gzip", text] }
        },
        Input("range units", Poison.noTokens, names: "Accept-Ranges") { text, base in
            try with(base) { $0.headers.acceptRanges = [text] }
        },
        Input("allowed methods", Poison.noTokens, names: "Allow") { text, base in
            try with(base) { $0.headers.allow = [.get, HTTPMethod(text)] }
        },
        Input("a key of idempotency", names: "Idempotency-Key") { text, base in
            try HTTPRequest(.post, base).idempotencyKey(text)
        },
        Input("a user of Basic", Poison.controls + [.colon], names: "user") { text, base in
            try with(base) { $0.headers.set(try .basic(user: text, password: "p")) }
        },
        Input("a password of Basic", names: "password") { text, base in
            try with(base) { $0.headers.set(try .basic(user: "u", password: text)) }
        },
        Input(
            "credentials sent without being asked", Poison.controls + [.colon], names: "user",
            layers: { text, base in
                [
                    try BasicAuthentication(
                        PasswordCredentials(user: text, password: "p", for: origin(base)),
                        sendsPasswordUnencrypted: true)
                ]
            }),
        Input("a bearer token", Poison.controls + [.blank], names: "bearer token") { text, base in
            try with(base) { $0.headers.set(try .bearer(text)) }
        },
        Input(
            "a bearer token, asked for", Poison.controls + [.blank], names: "bearer token",
            layers: { text, base in [BearerAuthentication(for: try origin(base)) { text }] }),
        Input("a bearer credential", Poison.controls + [.blank], names: "token") { text, base in
            try with(base) { $0.headers.set(try HTTPCredential.bearer(text).authorization) }
        },
        Input("an API key", names: "X-API-Key") { text, base in
            try with(base) { $0.headers.set(try .apiKey(text)) }
        },
        Input("an API key's field", Poison.noTokens, names: "field name") { text, base in
            try with(base) { $0.headers.set(try .apiKey("k", in: HTTPHeaderName(text))) }
        },
        Input("parameters of Digest", names: "credentials") { text, base in
            try with(base) { $0.headers.set(try .digest(text)) }
        },
        Input("a scheme's name", Poison.noTokens, names: "scheme") { text, base in
            try with(base) { $0.headers.set(try .scheme(text, "c")) }
        },
        Input("a scheme's credentials", names: "credentials") { text, base in
            try with(base) { $0.headers.set(try .scheme("S", text)) }
        },
        Input("a part's type", names: "Content-Type") { text, base in
            try HTTPRequest(.post, base).multipart {
                try $0.add(Data("x".utf8), name: "n", contentType: text)
            }
        },
        Input("a part's field", names: "X-Key") { text, base in
            try HTTPRequest(.post, base).multipart {
                try $0.add(HTTPBody("x"), name: "n", headers: ["X-Key": text])
            }
        },
        Input("a boundary", names: "boundary") { text, base in
            try HTTPRequest(.post, base).multipart(boundary: text) { $0.add("x", name: "n") }
        },
        Input("a body's file", [.nul], names: "file") { text, base in
            try HTTPRequest(.post, base).file("/dev/null" + text)
        },
        Input("a token of a structured field", Poison.controls + [.blank, .separators]) {
            text, base in
            try with(base) { $0.headers["X-S"] = "\(try StructuredField.BareItem.token(text))" }
        },
        Input("a string of a structured field") { text, base in
            try with(base) { $0.headers["X-S"] = "\(try StructuredField.BareItem.string(text))" }
        },
        Input("a key of a structured field", Poison.noTokens) { text, base in
            try with(base) {
                $0.headers["X-S"] = "\(try StructuredField.Parameters([text: .boolean(true)]))"
            }
        },
    ]

    /// Sends through the layers and returns the caller's response.
    private func send(
        _ input: Input, _ text: String, to server: LoopbackServer, over wire: ClientWire
    ) async throws -> HTTPResponse {
        let base = server.url("/")
        let client = HTTPClient(transport: try wire.transport(), validators: []) {
            $0.attemptMiddleware = (try? input.layers(text, base)) ?? []
        }
        _ = try input.layers(text, base)
        return try await client.response(HTTPResponse.self, for: try input.make(text, base))
    }

    @Test(arguments: refused, ClientWire.allCases)
    func `what is none is refused by name, and no byte is sent`(
        input: Input, wire: ClientWire
    ) async throws {
        let server = try LoopbackServer { _ in .ok() }
        for poison in input.poisons {
            let error = await #expect(throws: (any Error).self, "\(poison)") {
                try await send(input, poison.rawValue, to: server, over: wire)
            }
            let text = "\(try #require(error))"
            let names = input.names.split(separator: "|", omittingEmptySubsequences: false)
            #expect(
                names.contains { $0.isEmpty || text.lowercased().contains($0.lowercased()) },
                "\(poison): \(text)")
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
            if let error = error as? HTTPError {
                #expect([.invalidRequest, .unsupportedOption].contains(error.code), "\(poison)")
                #expect(!error.mayHaveReachedServer && !error.isRetryable)
            }
        }
        #expect(server.connections.accepted == 0)
    }

    // MARK: Encoded

    static let encoded: [Input] = [
        Input("a path", Poison.allCases) { text, base in
            try HTTPRequest(.get, base).with(path: "/" + text)
        },
        Input("a query's name", Poison.allCases) { text, base in
            try HTTPRequest(.get, base).query(text, "1")
        },
        Input("a query's value", Poison.allCases) { text, base in
            try HTTPRequest(.get, base).query("q", text)
        },
        Input("values of a query", Poison.allCases) { text, base in
            try HTTPRequest(.get, base).addingQuery(["q": [text], "d": [text: text]])
        },
        Input("a form", Poison.allCases) { text, base in
            try HTTPRequest(.post, base).formURLEncoded([text: text])
        },
        Input("variables of a template", Poison.allCases) { text, base in
            try HTTPRequest(
                template: URITemplate(strict: base + "{a}{/b}{?c,d*}"),
                variables: ["a": text, "b": [text], "c": text, "d": [text: text]])
        },
        Input("JSON", Poison.allCases) { text, base in
            try HTTPRequest(.post, base).json([text: text])
        },
        // HTML Standard §4.10.21.8: a NUL is kept.
        Input("a part's name", Poison.lineEnds) { text, base in
            try HTTPRequest(.post, base).multipart { $0.add("x", name: text) }
        },
        Input("a part's file name", Poison.lineEnds) { text, base in
            try HTTPRequest(.post, base).multipart {
                try $0.add(Data("x".utf8), name: "n", filename: text)
            }
        },
        Input("a disposition's file name", Poison.allCases) { text, base in
            try with(base) { $0.headers.contentDisposition = .attachment(fileName: text) }
        },
        Input("an argument of Cache-Control", [.blank, .separators, .colon]) { text, base in
            try with(base) {
                var directives = CacheControl()
                directives.set("x", text)
                $0.headers.cacheControl = directives
            }
        },
        // Set where no error can be thrown: the value is unchanged.
        Input("an impossible directive", Poison.noTokens) { text, base in
            try with(base) {
                var directives = CacheControl()
                directives.noStore = true
                directives.set(text)
                $0.headers.cacheControl = directives
            }
        },
        Input("an impossible parameter", Poison.noTokens) { text, base in
            try with(base) {
                var type = MediaType.json
                type[text] = "1"
                $0.headers.contentType = type
            }
        },
    ]

    @Test(arguments: encoded, ClientWire.allCases)
    func `encodable text arrives in one request, and ends no line`(
        input: Input, wire: ClientWire
    ) async throws {
        for poison in input.poisons {
            let server = try LoopbackServer { _ in .ok() }
            let response: HTTPResponse
            do {
                response = try await send(input, poison.rawValue, to: server, over: wire)
            } catch let error as HTTPError where error.code == .invalidRequest {
                // A refusal is as good, if nothing was sent.
                #expect(server.connections.accepted == 0, "\(poison)")
                continue
            }
            #expect(response.status == .ok, "\(poison)")
            #expect(server.log.count == 1)
            let request = try #require(server.log.first?.request)
            let bytes = request.head + (request.content ?? [])
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.unicodeScalars.contains("\u{0}"), "\(poison)")
            for end in ["\r", "\n"] {
                #expect(
                    !text.unicodeScalars.split(separator: Unicode.Scalar(end) ?? " ")
                        .contains { String($0).hasPrefix("Injected") }, "\(poison)")
            }
        }
    }

    @Test(arguments: Poison.allCases, ClientWire.allCases)
    func `a user of Digest is encoded, and a password only hashed`(
        poison: Poison, wire: ClientWire
    ) async throws {
        let server = try LoopbackServer { request in
            guard request["Authorization"] == nil else { return .ok() }
            return LoopbackResponse(
                status: 401,
                fields: [
                    (
                        "WWW-Authenticate",
                        "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256"
                    )
                ])
        }
        let credentials = PasswordCredentials(
            user: poison.rawValue, password: poison.rawValue, for: try HTTPOrigin(server.url))
        let client = HTTPClient(
            transport: try wire.transport(), validators: [],
            authentication: [ChallengeAuthentication(credentials)])
        let response = try await client.get(server.url("/")).response()
        #expect(response.status == .ok)
        let request = try #require(server.log.last?.request)
        #expect(request.fields.allSatisfy { $0.name != "Injected" })
        #expect(!request.head.contains(0) && !request.head.contains(0x7F))
    }

    // MARK: Values that cannot be made

    @Test(arguments: Poison.controls)
    func `a value that no field holds is not made`(poison: Poison) {
        let text = poison.rawValue
        #expect(EntityTag(opaqueTag: text) == nil)
        #expect(MediaType("text/" + text) == nil && MediaRange("text/" + text) == nil)
        #expect(HTTPRange("bytes=" + text) == nil && IfRange(text, now: Date()) == nil)
        #expect(StructuredField.Token(text) == nil)
        #expect(throws: HTTPError.self) { try HTTPOrigin("https://" + text) }
        #expect(throws: HTTPError.self) { try MultipartForm(boundary: text) }
        #expect(throws: HTTPError.self) { try HTTPClient(baseURL: "https://h/" + text) }
        #expect(throws: HTTPError.self) {
            try HTTPRequest(.get, text).joined(to: URL(strictly: "https://h/"))
        }
        #expect(HTTPResumeData(downloadTo: "/tmp/" + text) == nil)
    }

    @Test(arguments: Poison.controls, ClientWire.allCases)
    func `an event's identifier and a trace's state are refused, and nothing is sent`(
        poison: Poison, wire: ClientWire
    ) async throws {
        let server = try LoopbackServer { _ in .ok() }
        let transport = try wire.transport()
        var options = HTTPEventSourceOptions()
        options.lastEventID = poison.rawValue
        let events = try transport.events(from: server.url, options: options)
        let error = await #expect(throws: HTTPError.self) {
            for try await _ in events {}
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("Last-Event-ID") == true)

        var context = TraceContext()
        context.state = poison.rawValue
        let traced = await TracePropagation.$current.withValue(context) {
            await #expect(throws: HTTPError.self) {
                try await transport.with(TracePropagation()).response(for: server.url)
            }
        }
        #expect(traced?.message.contains("tracestate") == true)
        #expect(server.connections.accepted == 0)
    }
}
