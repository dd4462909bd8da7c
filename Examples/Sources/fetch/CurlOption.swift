/// The options of curl that this program does not have, with the reason or the way to do the same.
enum CurlOption {
    /// Returns a sentence about the first argument that is such an option, or `nil`.
    static func hint(_ arguments: [String]) -> String? {
        for argument in arguments {
            if argument == "--" { return nil }
            let name = String(argument.prefix { $0 != "=" })
            if let reason = reasons[name] { return "\(name) is not an option of fetch: \(reason)" }
        }
        return nil
    }

    private static let reasons: [String: String] = {
        var reasons: [String: String] = [:]
        for (names, reason) in table {
            for name in names.split(separator: " ") { reasons[String(name)] = reason }
        }
        return reasons
    }()

    private static let table: [(names: String, reason: String)] = [
        (
            "-: --next -Z --parallel --parallel-max --parallel-immediate --remote-name-all",
            "it sends one request; run it once for each"
        ),
        ("-K --config", "it reads no file of options"),
        (
            "--trace --trace-ascii --trace-time --trace-ids --trace-config --stderr --libcurl",
            "use -v, which writes to standard error what is sent and received"
        ),
        (
            "-0 --http1.0 --http0.9 --http2-prior-knowledge",
            "it sends HTTP/1.1, HTTP/2 over TLS, or HTTP/3: --http1.1, --http2, --http3"
        ),
        (
            "-1 --tlsv1 --tlsv1.0 --tlsv1.1 -2 --sslv2 -3 --sslv3",
            "it has no TLS below 1.2: --tlsv1.2, --tlsv1.3"
        ),
        (
            "--ntlm --ntlm-wb --negotiate --delegation --krb --service-name --aws-sigv4",
            "it has Basic, Digest and Bearer: -u, --basic, --digest, --oauth2-bearer"
        ),
        (
            "--proxy-digest --proxy-ntlm --proxy-negotiate --proxy-anyauth --proxy-header "
                + "--proxytunnel -p --preproxy --proxy1.0",
            "proxies get Basic credentials (-U), and https always goes through a tunnel"
        ),
        (
            "--proxy-insecure --proxy-cacert --proxy-capath --proxy-cert --proxy-key --proxy-pass "
                + "--proxy-tlsv1 --proxy-ciphers --proxy-pinnedpubkey --proxy-ssl-allow-beast",
            "the settings of TLS for the server also apply to the proxy"
        ),
        (
            "--location-trusted --post301 --post302 --post303",
            "a redirect to another origin gets no credentials, and the method changes as in "
                + "browsers; follow it by hand: --no-redirects"
        ),
        (
            "--limit-rate -Y --speed-limit --rate",
            "it has no limit on the speed; -y limits the time without a byte"
        ),
        (
            "--compressed-ssh --tr-encoding --raw-headers --ignore-content-length",
            "the framing belongs to the transport"
        ),
        (
            "--expect100-timeout --keepalive-time --no-keepalive --no-alpn --no-sessionid "
                + "--tcp-fastopen --no-tcp-nodelay --tcp-nodelay --false-start --curves "
                + "--local-port --dns-servers --dns-interface --dns-ipv4-addr --dns-ipv6-addr "
                + "--doh-url --happy-eyeballs-timeout-ms --haproxy-protocol --haproxy-clientip",
            "the transport decides about it"
        ),
        (
            "--key-type --engine --crlfile --cert-status --random-file --egd-file --ech",
            "certificates and keys are files in PEM, or one in PKCS #12 (--cert-type P12)"
        ),
        ("--hsts", "give the URL with https"),
        ("--alt-svc", "use --http3 to send over HTTP/3"),
        (
            "-R --remote-time --xattr --etag-save --etag-compare -z --time-cond",
            "--cache keeps responses with their validators, and --resume continues downloads"
        ),
        (
            "--no-clobber --remove-on-error --skip-existing",
            "--resume replaces a file when complete"
        ),
        ("--retry-connrefused", "--retry includes refused connections"),
        ("--proto --proto-redir", "it has http and https only, and refuses the step down to http"),
        ("--request-target --path-as-is", "the target is the URL's, byte for byte"),
        ("--variable --expand-url --expand-data", "it has no variables; the shell has"),
        ("-M --manual", "see --help and the page Docs/Guides/Fetch.md"),
        (
            "-a --append -B --use-ascii -l --list-only -P --ftp-port -Q --quote --ftp-pasv "
                + "--ftp-create-dirs --ssl --ssl-reqd --mail-from --mail-rcpt -t --telnet-option",
            "it speaks HTTP only"
        ),
    ]
}
