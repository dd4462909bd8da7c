import HTTPCore
import HTTPTransportCurl
import Testing

@Suite struct CurlLibraryTests {
    @Test func `the library says what it can do, and the description shows it`() throws {
        let library = try CurlTransport.library
        #expect(library.version.split(separator: ".").count == 3)
        let parts = library.description.split(separator: ", ").map(String.init)
        #expect(parts.first == "libcurl \(library.version)")
        #expect(parts.contains(library.tlsLibrary ?? "no TLS"))
        #expect(parts.contains { $0.hasPrefix("HTTP/2 (") } == (library.http2Library != nil))
        #expect(parts.contains { $0.hasPrefix("HTTP/3 (") } == (library.http3Library != nil))
        for coding in library.contentCodings { #expect(parts.contains(coding)) }
        #expect(parts.contains("Unix sockets") == library.reachesUnixSockets)
        #expect(parts.contains("HTTPS proxies") == library.reachesHTTPSProxies)
    }

    /// OpenSSL's QUIC is none.
    @Test func `HTTP 3 is spoken through ngtcp2 alone`() throws {
        let library = try CurlTransport.library
        let hasNGTCP2 = library.http3Library?.hasPrefix("ngtcp2/") == true
        #expect(library.speaksHTTP3 == hasNGTCP2)
    }

    @Test(.enabled(if: (try? CurlTransport.library.speaksHTTP3) == false, "it speaks HTTP/3"))
    func `what lacks HTTP 3 refuses to find it, and says why`() throws {
        var configuration = CurlConfiguration()
        configuration.http3 = .whenAnnounced
        let error = #expect(throws: HTTPError.self) { _ = try CurlTransport(configuration) }
        #expect(error?.code == .unsupportedOption)
        let library = try CurlTransport.library
        #expect(
            error?.message.contains(library.http3Library == nil ? "without HTTP/3" : "ngtcp2")
                == true)
        #expect(error?.message.contains(library.version) == true)
    }
}
