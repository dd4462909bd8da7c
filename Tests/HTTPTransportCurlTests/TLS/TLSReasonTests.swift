import Testing

@testable import HTTPTransportCurl

@Suite struct TLSReasonTests {
    /// The texts of libcurl about one alert, with each TLS library and in each of its versions.
    private static func texts(_ number: Int, _ words: String) -> [String] {
        let reason = 1000 + number
        func hex(_ code: Int) -> String {
            let digits = String(code, radix: 16, uppercase: true)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }
        let codes = [hex(20 << 24 | 0x14 << 12 | reason), hex(20 << 23 | reason)]
        return [
            // OpenSSL 1.1.1 and LibreSSL name a function.
            "OpenSSL/1.1.1n: error:\(codes[0]):SSL routines:ssl3_read_bytes:\(words)",
            "OpenSSL SSL_read: error:\(codes[0]):SSL routines:ssl3_read_bytes:\(words), errno 0",
            // OpenSSL 3, in libcurl 7.88 and 8.
            "OpenSSL/3.0.22: error:\(codes[1]):SSL routines::\(words)",
            "OpenSSL SSL_read: OpenSSL/3.0.22: error:\(codes[1]):SSL routines::\(words), errno 0",
            "TLS connect error: error:\(codes[1]):SSL routines::\(words)",
            "TLS cert problem: error:\(codes[1]):SSL routines::\(words)",
            "OpenSSL SSL_write: OpenSSL/3.5.9: error:\(codes[1]):SSL routines::\(words), errno 32",
            // A library that has no words for it.
            "TLS connect error: error:\(codes[1]):SSL routines::reason(\(reason))",
            // BoringSSL.
            "TLS connect error: error:\(hex(16 << 24 | reason)):SSL routines:OPENSSL_internal:X",
        ]
    }

    @Test(arguments: 1...255)
    func `an alert is read from its number, whatever the words`(number: Int) throws {
        let alert = TLSReason.alert(TLSAlert(try #require(UInt8(exactly: number))))
        for text in Self.texts(number, "ssl/tls alert of some name") {
            #expect(TLSReason(text) == alert, "\(text)")
        }
    }

    @Test(
        arguments: [
            ("OpenSSL/3.0.22: error:0A00010B:SSL routines::wrong version number", .notTLS),
            ("error:1408F10B:SSL routines:ssl3_get_record:wrong version number", .notTLS),
            ("error:0A0000C6:SSL routines::packet length too long", .notTLS),
            ("TLS connect error: error:0A00009C:SSL routines::http request", .notTLS),
            ("error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER", .notTLS),
            ("OpenSSL/3.0.22: error:0A000102:SSL routines::unsupported protocol", .version),
            (
                "error:141E70BF:SSL routines:tls_construct_client_hello:no protocols available",
                .version
            ),
            (
                "TLS connect error: error:0A0000B5:SSL routines::no ciphers available",
                .parameters("no ciphers available")
            ),
            (
                "error:141A318A:SSL routines:tls_process_ske_dhe:dh key too small",
                .parameters("dh key too small")
            ),
            (
                "error:0A000152:SSL routines::unsafe legacy renegotiation disabled",
                .parameters("unsafe legacy renegotiation disabled")
            ),
            (
                "OpenSSL SSL_read: error:0A000126:SSL routines::unexpected eof while reading, "
                    + "errno 0",
                .unexpectedEnd
            ),
            ("error:05800074:x509 certificate routines::key values mismatch", .keyOfAnother),
            (
                "could not load PEM client certificate from a.pem, OpenSSL error "
                    + "error:0480006C:PEM routines::no start line, "
                    + "(no key found, wrong pass phrase, or wrong file format?)",
                .other("no start line")
            ),
            ("error:8000002A:system library::No such file", .other("no such file")),
            // No alert: not of TLS.
            ("error:030003FC:digital envelope routines::odd", .other("odd")),
        ] as [(String, TLSReason)])
    func `a reason is read from its words`(text: String, reason: TLSReason) {
        #expect(TLSReason(text) == reason)
    }

    @Test(
        arguments: [
            "", "error:", "TLS connect error: error:00000000:lib(0)::reason(0)",
            "error:xyz:SSL routines::a", "error:0A00010B", "error:0A00010B:a:b",
            "Recv failure: Connection reset by peer", "GnuTLS, handshake failed: An alert",
            "schannel: next InitializeSecurityContext failed",
            "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to localhost:443 ",
        ])
    func `another text says nothing`(text: String) { #expect(TLSReason(text) == nil) }

    @Test func `what a log gets of other words is short and plain`() throws {
        let words = "a\u{1B}[31m\n\"\(String(repeating: "x", count: 200))"
        let clause = try #require(
            TLSReason(reason: words).clause(of: "the server", hasIdentity: false))
        #expect(clause.utf8.count < 130)
        #expect(clause.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
        #expect(TLSReason(reason: "\u{7}").clause(of: "the server", hasIdentity: false) == nil)
    }

    // MARK: Alerts (RFC 8446 §6)

    /// The alerts of a side that would refuse the next connection, too.
    private static let refusals: Set<UInt8> = [
        40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 70, 71, 86, 109, 110, 112, 113, 114, 116, 120,
    ]

    @Test(arguments: UInt8.min...UInt8.max)
    func `an alert is final if the settings of the two sides are its cause`(number: UInt8) {
        let alert = TLSReason.alert(TLSAlert(number))
        #expect(alert.isFinal(hasIdentity: false) == Self.refusals.contains(number))
        #expect(
            alert.isFinal(hasIdentity: true) == (Self.refusals.contains(number) || number == 51))
        for hasIdentity in [false, true] {
            let clause = alert.clause(of: "the server", hasIdentity: hasIdentity)
            #expect(clause?.hasSuffix(")") == true)
            #expect(clause?.contains("alert \(number)") == true)
        }
    }

    @Test(arguments: [41, 42, 43, 44, 45, 46, 48, 49, 116] as [UInt8])
    func `without a certificate, none can have been refused`(number: UInt8) {
        let alert = TLSReason.alert(TLSAlert(number))
        #expect(
            alert.clause(of: "the server", hasIdentity: false)?
                .contains("asks for a client certificate and got none") == true)
        #expect(
            alert.clause(of: "the server", hasIdentity: true)?.contains("got none") == false)
    }
}
