import CHTTPTransportCurl
import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Transfer {
    func configure(_ easy: CurlEasyHandle) throws(HTTPError) {
        let request = exchange.request
        let configuration = core.configuration
        let library = core.library

        easy.set(CHTTP_OPT_NO_SIGNAL, true)
        easy.set(CHTTP_OPT_NO_PROGRESS, true)
        easy.set(CHTTP_OPT_FOLLOW_LOCATION, false)
        easy.set(CHTTP_OPT_PROTOCOLS, library.hasTLS ? "http,https" : "http")
        easy.set(CHTTP_OPT_HTTP09_ALLOWED, false)
        easy.set(CHTTP_OPT_PROXY, "")
        easy.set(CHTTP_OPT_SUPPRESS_CONNECT_HEADERS, true)
        easy.set(CHTTP_OPT_PATH_AS_IS, true)
        easy.set(CHTTP_OPT_DISALLOW_USERNAME, true)
        easy.set(CHTTP_OPT_TCP_NO_DELAY, true)
        easy.set(CHTTP_OPT_TCP_KEEPALIVE, true)
        easy.set(CHTTP_OPT_TCP_KEEPIDLE, 15)
        easy.set(CHTTP_OPT_TCP_KEEPINTVL, 15)
        easy.set(CHTTP_OPT_MAX_AGE_CONNECTION, 60)
        easy.set(CHTTP_OPT_BUFFER_SIZE, 64 << 10)
        // Without it, a transfer that ends while its name is resolved stops the loop until then.
        easy.setIfKnown(CHTTP_OPT_QUICK_EXIT, 1)
        unsafe easy.setSocketObserver(core.socketObserver)
        if exchange.target.origin.scheme == .https {
            easy.set(CHTTP_OPT_VERIFY_PEER, 1)
            easy.set(CHTTP_OPT_VERIFY_HOST, 2)
            easy.setMinimumTLSVersion()
            easy.setShare(core.share)
            easy.set(CHTTP_OPT_PIPE_WAIT, true)
            if let file = configuration.certificateAuthorityFile ?? library.certificateAuthorityFile
            {
                // With a directory beside it, libcurl would parse the bundle for each connection.
                easy.set(CHTTP_OPT_CA_FILE, file)
                easy.set(CHTTP_OPT_CA_DIRECTORY, nil)
            }
        }
        // 0 would mean libcurl's own limit, so none is the longest that it takes, 24 days.
        let longest = Int64(Int32.max) * 1_000_000
        let connect = min(exchange.limits.connect?.nanoseconds ?? longest, longest)
        easy.set(CHTTP_OPT_CONNECT_TIMEOUT_MS, Int(max(1, connect / 1_000_000)))
        easy.set(CHTTP_OPT_URL, exchange.target.url)
        easy.set(CHTTP_OPT_REQUEST_TARGET, exchange.target.originForm)
        if decodes { easy.set(CHTTP_OPT_ACCEPT_ENCODING, "") }

        configureMethod(easy, request)
        configureVersion(easy, request)
        configureHeaders(easy, request)
        easy.setCallbacks(self, isUpload: isUpload)
        try easy.checkOptions()
    }

    private func configureMethod(_ easy: CurlEasyHandle, _ request: HTTPRequest) {
        switch uploadForm {
        case .none where request.method == .head:
            easy.set(CHTTP_OPT_NO_BODY, true)
        case .none:
            easy.set(CHTTP_OPT_HTTP_GET, true)
            if request.method != .get {
                easy.set(CHTTP_OPT_CUSTOM_REQUEST, request.method.rawValue)
            }
        case .fields(let octets):
            easy.set(CHTTP_OPT_POST, true)
            unsafe octets.withUnsafeBytes { unsafe easy.setPostFields($0) }
            if request.method != .post {
                easy.set(CHTTP_OPT_CUSTOM_REQUEST, request.method.rawValue)
            }
        case .octets, .stream:
            easy.set(CHTTP_OPT_UPLOAD, true)
            easy.set(CHTTP_OPT_UPLOAD_BUFFER_SIZE, 64 << 10)
            easy.set(CHTTP_OPT_CUSTOM_REQUEST, request.method.rawValue)
            easy.setUploadLength(request.body.length ?? -1)
        }
    }

    private func configureVersion(_ easy: CurlEasyHandle, _ request: HTTPRequest) {
        let avoidsHTTP2 = isUpload && !core.library.uploadsOverHTTP2
        if request.version == .http1_1 || (request.version == nil && avoidsHTTP2)
            || exchange.target.origin.scheme == .http
        {
            speaksHTTP1 = true
            easy.setHTTPVersion(CHTTP_HTTP_1_1)
        } else {
            easy.setHTTPVersion(CHTTP_HTTP_2_TLS)
        }
    }

    private func configureHeaders(_ easy: CurlEasyHandle, _ request: HTTPRequest) {
        var line: [UInt8] = []
        for position in request.headers.indices {
            line.removeAll(keepingCapacity: true)
            request.headers.withOctets(at: position) { name, value in
                line += name
                // libcurl's spelling of a field without a value.
                line.append(UInt8(ascii: value.isEmpty ? ";" : ":"))
                if !value.isEmpty { line.append(UInt8(ascii: " ")) }
                line += value
                line.append(0)
            }
            easy.appendHeader(line)
        }
        // A name with nothing behind it takes out what libcurl would add by itself.
        if !request.headers.contains(.accept) { easy.appendHeader("Accept:") }
        if !request.headers.contains(.contentType) { easy.appendHeader("Content-Type:") }
        easy.appendHeader("Expect:")
        easy.applyHeaders()
    }
}
