import CHTTPTransportCurl
import HTTPCore
import PortableFoundation

extension Transfer {
    /// The size of libcurl's buffers, in bytes. Each system call reads or writes at most that much.
    /// It is just below the size from which glibc's allocator has the system map each block.
    static let bufferSize = 127 << 10

    /// The purpose for which the handle is kept after this transfer, or `nil` if it sets more than
    /// ``CurlEasyHandle/Settings`` says, or if the library's handles serve one transfer each.
    var purpose: CurlEasyHandle.Settings.Purpose? {
        guard loop.library.reusesHandles else { return nil }
        let hasFields: Bool
        switch upload?.form {
        case nil, .none?: hasFields = false
        case .fields: hasFields = true
        case .bytes, .file, .stream: return nil
        }
        // Credentials of a proxy, and addresses that libcurl is told, are set for each transfer.
        guard lane.route.proxy == nil, loop.settings.configuration.addresses.isEmpty,
            loop.settings.configuration.resolver == nil,
            exchange.destination.requestTarget.utf8.count + exchange.request.headers.byteCount
                <= CurlEasyHandle.Settings.lengthLimit
        else { return nil }
        return CurlEasyHandle.Settings.Purpose(
            method: exchange.request.method, hasFields: hasFields,
            isRestricted: exchange.addressPolicy != nil,
            asksForAuthorities: lane.route.tls?.asksForAuthorities ?? false,
            series: lane.series, observesSteps: observesSteps)
    }

    /// Sets the options of the transfer, or those that differ from the ones that the handle has.
    ///
    /// - Parameter purpose: The purpose for which the handle was taken.
    func configure(
        _ easy: CurlEasyHandle, _ purpose: CurlEasyHandle.Settings.Purpose?
    ) throws(HTTPError) {
        connection.speaksHTTP1 = !mayUseHTTP2
        connection.series = lane.series
        // 0 would mean libcurl's own limit. No limit is therefore the longest that libcurl accepts,
        // 24 days.
        let longest = Int64(Int32.max) * 1_000_000
        let connect =
            min(exchange.limits.connect?.nanoseconds ?? longest, longest) - times.lookup.time
        let settings = CurlEasyHandle.Settings(
            purpose: purpose, target: exchange.destination.requestTarget,
            maximumAge: loop.idleLimit(lane),
            connectLimit: Int(max(1, connect / 1_000_000)), headers: try headerList())
        if easy.isWarm {
            if case .fields(let bytes) = upload?.form {
                unsafe bytes.withUnsafeBytes { unsafe easy.changePostFields($0) }
            }
            easy.change(to: settings)
        } else {
            try configureWhole(easy, settings)
            if settings.purpose != nil { easy.warm(settings) }
        }
        easy.keepHead()
        easy.events = self
        try easy.checkOptions()
    }

    /// Sets all options of a handle that has the library's defaults.
    private func configureWhole(
        _ easy: CurlEasyHandle, _ settings: CurlEasyHandle.Settings
    ) throws(HTTPError) {
        let request = exchange.request
        let library = loop.library

        // The defaults of a new handle stay as they are: no progress meter, no redirects, no
        // HTTP/0.9, GET, TCP_NODELAY. Each option that is set costs time.
        easy.set(CHTTP_OPT_NO_SIGNAL, true)
        easy.set(CHTTP_OPT_PROTOCOLS, library.hasTLS ? "http,https" : "http")
        easy.set(CHTTP_OPT_TCP_KEEPALIVE, true)
        easy.set(CHTTP_OPT_TCP_KEEPIDLE, 15)
        easy.set(CHTTP_OPT_TCP_KEEPINTVL, 15)
        easy.set(CHTTP_OPT_MAX_AGE_CONNECTION, settings.maximumAge)
        easy.set(
            CHTTP_OPT_MAX_LIFETIME_CONNECTION,
            loop.settings.lifetimeSeconds)
        // 7.88 refuses this if the handle still has the buffer of an HTTP/2 stream, which has this
        // size.
        easy.setIfKnown(CHTTP_OPT_BUFFER_SIZE, Self.bufferSize)
        // Without this, a transfer that ends while its name is resolved blocks the loop until the
        // name is resolved.
        easy.setIfKnown(CHTTP_OPT_QUICK_EXIT, 1)
        unsafe easy.setSocketCloser(loop.pools.socketCloser)
        easy.setSocketOpener(
            isRestricted: exchange.addressPolicy != nil || connection.choice == .keptAlone,
            userTimeoutMilliseconds: loop.settings.userTimeout)
        configureRoute(easy)
        if exchange.destination.target.origin.scheme == .https,
            let tls = lane.route.tls
        {
            tls.apply(
                to: easy, for: .server, host: exchange.destination.target.origin.host,
                asksForAuthorities: settings.purpose?.asksForAuthorities ?? tls.asksForAuthorities,
                observesSteps: observesSteps)
            easy.setShare(loop.share)
            easy.set(CHTTP_OPT_PIPE_WAIT, true)
            setScope(easy)
        }
        easy.set(CHTTP_OPT_CONNECT_TIMEOUT_MS, settings.connectLimit)
        if connection.choice == .newAlone { easy.set(CHTTP_OPT_FRESH_CONNECT, true) }
        easy.set(lane.url)
        easy.set(CHTTP_OPT_REQUEST_TARGET, settings.target)

        try configureMethod(easy, request)
        configureVersion(easy)
        easy.set(settings.headers)
        if machine.expectation != .none, let patience = request[ExpectContinue.self] {
            let milliseconds = Int(clamping: min(patience.nanoseconds / 1_000_000, 1 << 31))
            easy.set(CHTTP_OPT_EXPECT_TIMEOUT_MS, max(1, milliseconds))
        }
        easy.setCallbacks(
            isUpload: isUpload, hasTrailers: upload?.trailers != nil, observesSteps: observesSteps)
    }

    private func setScope(_ easy: CurlEasyHandle) {
        connection.series = lane.series
        let scope = ConnectionScope(lane.route.protocols, series: lane.series)
        if scope.number != 0 { easy.set(CHTTP_OPT_ADDRESS_SCOPE, scope.number) }
    }

    /// Prepares the transfer for another start.
    func startAgain(_ reason: FreshStart) throws(HTTPError) {
        connection.startAgain()
        times.startAgain()
        machine.restart(reason, taken: takenBytes)
        switch reason {
        // Other kept connections may be stale, too. A new one cannot be.
        case .staleConnection, .spentConnection, .earlyInterim: connection.choice = .newAlone
        case .silentConnection, .lostConnection:
            if isUpload { try rewindUpload() }
            awaitHTTP3()
        case .expectationRefused:
            beginAgain()
            try rewindUpload()
        // After the last four, the transfer goes on elsewhere or waits for its turn.
        case .noDescriptors, .addressesExpired, .http3Failed, .misdirected, .refused,
            .unsettledConnection:
            break
        }
    }

    /// The number of bytes of requests that libcurl has taken since the last start.
    var takenBytes: Int { easy?.long(CHTTP_INFO_REQUEST_SIZE) ?? 0 }

    /// Prepares a handle that was configured, and that libcurl has already tried, for another start
    /// of the transfer.
    func configureAnew(_ easy: CurlEasyHandle, _ reason: FreshStart) throws(HTTPError) {
        if connection.choice == .newAlone { easy.set(CHTTP_OPT_FRESH_CONNECT, true) }
        switch reason {
        case .spentConnection where lane.route.origin.scheme == .https: setScope(easy)
        case .silentConnection, .lostConnection: setScope(easy)
        case .expectationRefused:
            easy.keepHead()
            easy.set(try headerList())
        default: break
        }
        // The pool may be another one now. libcurl reads the addresses at the first start only.
        configureAddresses(easy)
        try easy.checkOptions()
    }

    /// Forgets a response, because the exchange begins again.
    func beginAgain() {
        collector = HeadCollector()
        times.firstByte = nil
        decoding.startAgain()
        _ = flow.resumeReceiving()
        _ = flow.resumeSending()
    }

    private func configureRoute(_ easy: CurlEasyHandle) {
        let route = lane.route
        // Always set: otherwise libcurl reads the environment, which another thread may change.
        easy.set(CHTTP_OPT_PROXY, route.proxy?.description ?? "")
        easy.set(CHTTP_OPT_NO_PROXY, "")
        if let proxy = route.proxy {
            if route.origin.scheme == .https, !proxy.scheme.isSOCKS { easy.expectTunnel() }
            // The request's own response to a challenge takes precedence over libcurl's.
            if let credentials = proxy.credentials,
                !exchange.request.headers.contains(.proxyAuthorization)
            {
                easy.set(CHTTP_OPT_PROXY_USER, credentials.user)
                easy.set(CHTTP_OPT_PROXY_PASSWORD, credentials.password)
            }
            if let tls = route.proxyTLS {
                tls.apply(
                    to: easy, for: .proxy, host: proxy.host,
                    asksForAuthorities: tls.asksForAuthorities, observesSteps: observesSteps)
            }
        }
        if let path = route.unixSocket {
            if path.hasPrefix("@") {
                easy.set(CHTTP_OPT_ABSTRACT_UNIX_SOCKET, String(path.dropFirst()))
            } else {
                easy.set(CHTTP_OPT_UNIX_SOCKET, path)
            }
        }
        let origin = route.origin
        if let target = route.target {
            easy.setConnectTo("\(origin.host):\(origin.port):\(target.host):\(target.port)")
        }
        if let address = route.localAddress { easy.set(CHTTP_OPT_INTERFACE, "host!\(address)") }
        switch loop.settings.configuration.addressFamily {
        case .any: break
        case .ipv4: easy.set(CHTTP_OPT_IP_RESOLVE, 1)
        case .ipv6: easy.set(CHTTP_OPT_IP_RESOLVE, 2)
        }
        easy.set(
            CHTTP_OPT_ATTEMPT_DELAY_MS,
            Int(
                clamping: loop.settings.configuration.connectionAttemptDelay.nanoseconds / 1_000_000
            ))
        configureAddresses(easy)
    }

    private func configureAddresses(_ easy: CurlEasyHandle) {
        let configuration = loop.settings.configuration
        guard !configuration.addresses.isEmpty || configuration.resolver != nil else { return }
        var entries: [String] = []
        for name in lane.names {
            func entry(_ addresses: [IPAddress]) -> String {
                let list = addresses.map { $0.isIPv4 ? "\($0)" : "[\($0)]" }
                return "\(name.host):\(name.port):\(list.joined(separator: ","))"
            }
            if let addresses = configuration.addresses[name.host] {
                entries.append(entry(addresses))
            } else if case let addresses = loop.addresses(of: name), !addresses.isEmpty {
                // With the sign, libcurl does not keep the entry for ever.
                entries.append("+" + entry(addresses))
            }
        }
        if configuration.resolver != nil {
            easy.set(CHTTP_OPT_DNS_CACHE_TIMEOUT, CurlEasyHandle.addressLifetime)
        }
        if !entries.isEmpty { easy.setResolved(entries) }
    }

    private func configureMethod(
        _ easy: CurlEasyHandle, _ request: HTTPRequest
    ) throws(HTTPError) {
        switch upload?.form {
        case nil where request.method == .head, .none? where request.method == .head:
            easy.set(CHTTP_OPT_NO_BODY, true)
        case nil, .none?:
            if request.method != .get {
                easy.set(CHTTP_OPT_CUSTOM_REQUEST, request.method.rawValue)
            }
        case .fields(let bytes):
            easy.set(CHTTP_OPT_POST, true)
            unsafe bytes.withUnsafeBytes { unsafe easy.setPostFields($0) }
            if request.method != .post {
                easy.set(CHTTP_OPT_CUSTOM_REQUEST, request.method.rawValue)
            }
        case .bytes, .file, .stream:
            try openUploadFile()
            easy.set(CHTTP_OPT_UPLOAD, true)
            easy.set(CHTTP_OPT_UPLOAD_BUFFER_SIZE, Self.bufferSize)
            easy.set(CHTTP_OPT_CUSTOM_REQUEST, request.method.rawValue)
            easy.setUploadLength(upload?.trailers == nil ? request.body.length ?? -1 : -1)
        }
    }

    /// `false` if the connection is asked to speak HTTP/1.1.
    var mayUseHTTP2: Bool {
        switch lane.route.protocols {
        case .best: exchange.destination.target.origin.scheme == .https
        case .http1Alone: false
        case .http3Alone, .http3Single: true
        }
    }

    private func configureVersion(_ easy: CurlEasyHandle) {
        switch lane.route.protocols {
        case .http3Alone, .http3Single: easy.setHTTPVersion(CHTTP_HTTP_3_ONLY)
        case .best, .http1Alone:
            easy.setHTTPVersion(mayUseHTTP2 ? CHTTP_HTTP_2_TLS : CHTTP_HTTP_1_1)
        }
    }

    private func headerList() throws(HTTPError) -> HeaderList {
        var additions = HeaderList.Additions()
        if decoding.isAsked { additions.acceptEncoding = loop.library.acceptEncoding }
        additions.hasContent = upload != nil
        if let trailers = upload?.trailers {
            let names = trailers.names.map(\.spelling).joined(separator: ", ")
            additions.lines.append("Trailer: \(names)")
        }
        if let service = http3?.service, !exchange.request.headers.contains("Alt-Used") {
            // RFC 7838 §5.
            additions.lines.append("Alt-Used: \(service)")
        }
        // RFC 9110 §10.1.4: over HTTP/1.1, `TE` is for the next server alone.
        let asksForTrailers =
            exchange.request.hasOptions && exchange.request[AcceptTrailers.self]
        if asksForTrailers { additions.lines.append("TE: trailers") }
        if closesConnection || asksForTrailers {
            let options = [closesConnection ? "close" : nil, asksForTrailers ? "TE" : nil]
            additions.lines.append(
                "Connection: " + options.compactMap(\.self).joined(separator: ", "))
        }
        if closesConnection {
            // libcurl would ask the proxy to keep it.
            if lane.route.forwardingProxy != nil { additions.lines.append("Proxy-Connection:") }
        }
        if machine.expectation != .none {
            additions.lines.append("Expect: 100-continue")
        } else if additions.hasContent {
            additions.lines.append("Expect:")
        }
        return try lane.headerList(exchange.request.headers, additions)
    }
}
