import CHTTPTransportCurl

/// The other side of a TLS connection. A transfer through an HTTPS proxy may have one with each.
enum TLSPeer {
    case server, proxy
}

/// The options of libcurl for the connections with one peer.
struct TLSOptions {
    let verifyPeer, verifyHost: chttp_long_option
    let authorityFile, authorityDirectory, suites, suites1_3, pins: chttp_string_option
    let certificateType, certificateFile, keyType, keyFile, keyPassword: chttp_string_option
    let authorities, certificate, key: chttp_blob_option

    static func options(for peer: TLSPeer) -> TLSOptions {
        switch peer {
        case .server: server
        case .proxy: proxy
        }
    }

    private static let server = TLSOptions(
        verifyPeer: CHTTP_OPT_VERIFY_PEER, verifyHost: CHTTP_OPT_VERIFY_HOST,
        authorityFile: CHTTP_OPT_CA_FILE, authorityDirectory: CHTTP_OPT_CA_DIRECTORY,
        suites: CHTTP_OPT_CIPHERS, suites1_3: CHTTP_OPT_TLS_1_3_CIPHERS,
        pins: CHTTP_OPT_PINNED_PUBLIC_KEY, certificateType: CHTTP_OPT_CERTIFICATE_TYPE,
        certificateFile: CHTTP_OPT_CERTIFICATE_FILE, keyType: CHTTP_OPT_KEY_TYPE,
        keyFile: CHTTP_OPT_KEY_FILE, keyPassword: CHTTP_OPT_KEY_PASSWORD,
        authorities: CHTTP_BLOB_CA, certificate: CHTTP_BLOB_CERTIFICATE, key: CHTTP_BLOB_KEY)

    private static let proxy = TLSOptions(
        verifyPeer: CHTTP_OPT_PROXY_VERIFY_PEER, verifyHost: CHTTP_OPT_PROXY_VERIFY_HOST,
        authorityFile: CHTTP_OPT_PROXY_CA_FILE, authorityDirectory: CHTTP_OPT_PROXY_CA_DIRECTORY,
        suites: CHTTP_OPT_PROXY_CIPHERS, suites1_3: CHTTP_OPT_PROXY_TLS_1_3_CIPHERS,
        pins: CHTTP_OPT_PROXY_PINNED_PUBLIC_KEY, certificateType: CHTTP_OPT_PROXY_CERTIFICATE_TYPE,
        certificateFile: CHTTP_OPT_PROXY_CERTIFICATE_FILE, keyType: CHTTP_OPT_PROXY_KEY_TYPE,
        keyFile: CHTTP_OPT_PROXY_KEY_FILE, keyPassword: CHTTP_OPT_PROXY_KEY_PASSWORD,
        authorities: CHTTP_BLOB_PROXY_CA, certificate: CHTTP_BLOB_PROXY_CERTIFICATE,
        key: CHTTP_BLOB_PROXY_KEY)
}
