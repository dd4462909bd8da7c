import ArgumentParser
import HTTPClientKit
import HTTPTesting
import HTTPTransportCurl
import Testing

@testable import fetch

@Suite(.timeLimit(.minutes(5))) struct TransportArgumentsTests {
    private func transport(_ arguments: String...) throws -> TransportArguments {
        try Fetch.command(["https://h.example/"] + arguments).transport
    }

    @Test func `TLS options become settings`() throws {
        let pin = "sha256//" + String(repeating: "A", count: 43) + "="
        let origin = try HTTPOrigin("https://h.example/")
        let settings = try transport(
            "--cacert", "ca.pem", "--tlsv1.3", "--tls-max", "1.3", "--pinnedpubkey",
            "\(pin);\(pin)",
            "--ciphers", "A", "--tls13-ciphers", "B"
        ).tls.settings(for: origin)
        #expect(settings.trust == .only(.file("ca.pem")))
        #expect(settings.minimumVersion == .tls1_3 && settings.maximumVersion == .tls1_3)
        #expect(settings.publicKeyPins.keys.sorted() == ["h.example"])
        #expect(settings.cipherSuites == "A" && settings.cipherSuites1_3 == "B")
        #expect(settings.certificateVerification == .full)
        let open = try transport("-k", "--capath", "d").tls.settings(for: origin)
        #expect(open.certificateVerification == .unsafeNone)
        #expect(open.trust == .only(.directory("d")))
    }

    @Test func `a certificate has its key and password in one of several places`() throws {
        func identity(_ arguments: String...) throws -> ClientIdentity? {
            try Fetch.command(["https://h/"] + arguments).transport.tls.identity
        }
        #expect(try identity() == nil)
        #expect(
            try identity("-E", "c.pem:pass:word")
                == .files(certificate: "c.pem", key: "c.pem", passphrase: "pass:word"))
        #expect(
            try identity("--cert", #"a\:b"#, "--key", "k", "--pass", "p")
                == .files(certificate: "a:b", key: "k", passphrase: "p"))
        #expect(throws: HTTPError.self) { try identity("-E", "/no/such", "--cert-type", "P12") }
    }

    @Test(arguments: [
        ["-k", "--pinnedpubkey", "sha256//AAAA"], ["--pinnedpubkey", "key.pem"], ["--key", "k"],
        ["--cacert", "a", "--capath", "b"], ["--cert-type", "ENG", "--cert", "a"],
        ["--tls-max", "1.1"], ["-x", "a", "--socks5", "b"], ["-U", "a:b"], ["-x", "p", "-U", "a"],
        ["--unix-socket", "a", "--abstract-unix-socket", "b"],
    ])
    func `options that make no sense are refused`(arguments: [String]) {
        #expect(throws: (any Error).self) { try Fetch.command(["https://h/"] + arguments) }
    }

    @Test func `proxies come from the arguments, or else from the environment`() throws {
        let environment = [
            "http_proxy": "http://e:1", "HTTP_PROXY": "http://wrong:1", "no_proxy": "x.example",
        ]
        func proxies(_ arguments: String...) throws -> ProxySettings {
            try Fetch.command(["http://h/"] + arguments).transport.route
                .proxies(environment: environment)
        }
        let exceptions = try #require(ProxyExceptions("x.example"))
        #expect(
            try proxies() == ProxySettings(http: ProxyServer("http://e:1"), exceptions: exceptions))
        #expect(try proxies("-x", "") == .none)
        #expect(try proxies("-x", "p:8") == .server(ProxyServer("p:8"), except: exceptions))
        #expect(
            try proxies("-x", "p:8", "--noproxy", "*")
                == .server(ProxyServer("p:8"), except: #require(ProxyExceptions("*"))))
        var server = try ProxyServer("socks5h://p:8")
        server.credentials = ProxyServer.Credentials(user: "u", password: "a:b")
        #expect(
            try proxies("--socks5-hostname", "p:8", "-U", "u:a:b")
                == .server(server, except: exceptions))
        #expect(throws: HTTPError.self) { try proxies("-x", "ftp://p") }
        // Upper case is for CGI programs, where a client sets it.
        let route = try transport().route
        #expect(try route.proxies(environment: ["HTTP_PROXY": "p"]) == .none)
    }

    @Test func `addresses are for hosts`() throws {
        let route = try transport(
            "--resolve", "A.example:80:127.0.0.1,[::1]", "--resolve", "+b.example:443:::1",
            "--resolve", "a.example:443:127.0.0.1,::1"
        ).route
        let addresses = try route.addresses()
        #expect(addresses["a.example"]?.map(\.description) == ["127.0.0.1", "::1"])
        #expect(addresses["b.example"]?.map(\.description) == ["::1"])
        for text in ["*:80:127.0.0.1", "a:80", "a:x:1.2.3.4", "a:80:name", "-a:80", "a:80:"] {
            #expect(throws: HTTPError.self) { try transport("--resolve", text).route.addresses() }
        }
        let twice = try transport("--resolve", "a:1:1.1.1.1", "--resolve", "a:2:2.2.2.2")
        #expect(throws: HTTPError.self) { try twice.route.addresses() }
    }

    @Test func `a target is for the origin that it names`() throws {
        func target(_ text: String) throws -> ConnectTarget? {
            var request = try HTTPRequest("https://h.example/")
            try transport("--connect-to", text).route.complete(&request)
            return request[ConnectTarget.self]
        }
        #expect(try target("h.example:443:a:1") == ConnectTarget("a:1"))
        #expect(try target("::[::1]:") == ConnectTarget("[::1]:443"))
        #expect(try target("other:443:a:1") == nil)
        #expect(try target("h.example:80:a:1") == nil)
        #expect(throws: HTTPError.self) { try target("a:1") }
    }

    @Test func `URLSession refuses what it cannot honour`() async throws {
        for arguments in [["-k"], ["-x", "p"], ["--resolve", "a:1:1.1.1.1"], ["-4"]] {
            let command = try Fetch.command(
                ["http://127.0.0.1:9/", "-s", "--transport", "urlsession"] + arguments)
            let error = await #expect(throws: ExitCode.self) { try await command.run() }
            #expect(error?.rawValue == 4)
        }
    }
}
