import Testing

extension VerificationTests {
    /// A script that adds an authority to the system's store while it runs, and starts a server for
    /// each of the authority's certificates, and for one that it has not signed.
    private static let servers = #"""
        folder=$(mktemp -d)
        cd "$folder"
        quietly() { "$@" >/dev/null 2>&1; }
        request() {
            quietly openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "$@"
        }
        request -x509 -days 2 -keyout authority.key -out authority.pem -subj /CN=authority
        sign() {
            request -keyout "$1.key" -out "$1.csr" -subj "/CN=$1"
            echo "subjectAltName=$2" >"$1.extensions"
            quietly openssl x509 -req -in "$1.csr" -CA authority.pem -CAkey authority.key \
                -CAcreateserial $3 -extfile "$1.extensions" -out "$1.pem"
        }
        past="-days -1"
        # New versions refuse that.
        openssl x509 -help 2>&1 | grep -q not_after &&
            past="-not_before 20200101000000Z -not_after 20200102000000Z"
        sign good IP:127.0.0.1 "-days 2"
        sign other DNS:other.test "-days 2"
        sign late IP:127.0.0.1 "$past"
        request -x509 -days 2 -keyout self.key -out self.pem -subj /CN=self \
            -addext subjectAltName=IP:127.0.0.1
        # The store names the authority in other letters than the certificates that it has signed.
        quietly openssl req -x509 -days 2 -key authority.key -out stored.pem -subj "/CN=  AuThority"
        cat \#(store) stored.pem >bundle
        if [ "$2" = bundle ]; then
            mount --bind bundle \#(store)
        else
            cp -a \#(folder) certs
            cp bundle certs/$(basename \#(store))
            cp stored.pem certs/$(openssl x509 -noout -subject_hash -in stored.pem).0
            mount --bind certs \#(folder)
        fi
        port=8440
        for name in good other late self; do
            openssl s_server -accept 127.0.0.1:$port -www -quiet \
                -cert "$name.pem" -key "$name.key" >/dev/null 2>&1 &
            until quietly openssl s_client -connect 127.0.0.1:$port </dev/null; do :; done
            port=$((port + 1))
        done
        cd /
        if [ "$2" = only ]; then
            mkdir "$folder/only"
            cp "$folder/self.pem" \
                "$folder/only/$(openssl x509 -noout -subject_hash -in "$folder/self.pem").0"
            for authority in "$folder/self.pem" "$folder/only/"; do
                for port in 8443 8440; do
                    PROBE_AUTHORITY=$authority "$1" fail https://127.0.0.1:$port/ 0
                done
            done
        else
            for port in 8440 8441 8442 8443; do "$1" fail https://127.0.0.1:$port/ 0; done
        fi
        rm -rf "$folder"
        """#

    private static let folder = "/etc/ssl/certs"
    private static let store = "\(folder)/ca-certificates.crt"

    private static let canTrust =
        OwnNetwork.isAvailable && OwnNetwork.has(["openssl"])
        && OwnNetwork.succeeds("test -s \(store); mount --bind \(store) \(store)")

    @Test(
        .enabled(
            if: canTrust, "needs root, unshare, openssl and the system's store of certificates"),
        arguments: [
            ("curl-probe", "bundle"), ("curl-probe", "directory"), ("urlsession-probe", "bundle"),
        ])
    func `the system's authorities are trusted, and no others`(
        program: String, place: String
    ) async throws {
        let outcomes = try await Self.outcomes(program, place)
        #expect(outcomes == ["200", "serverNotTrusted", "serverNotTrusted", "serverNotTrusted"])
    }

    /// libcurl from 8.17 on adds its own places of authorities to those that it is given.
    @Test(
        .enabled(
            if: canTrust, "needs root, unshare, openssl and the system's store of certificates"))
    func `where an authority alone is trusted, the system's are not`() async throws {
        let outcomes = try await Self.outcomes("curl-probe", "only")
        #expect(outcomes == ["200", "serverNotTrusted", "200", "serverNotTrusted"])
    }

    private static func outcomes(_ program: String, _ place: String) async throws -> [String] {
        let process = try OwnNetwork.process(
            servers, [try ChildProcess.path(of: program), place])
        let end = try await process.end(within: .seconds(120))
        guard case .exited(0, let output) = end else {
            Issue.record("\(end)")
            return []
        }
        return output.split(separator: "\n").filter { $0.hasPrefix("outcome=") }
            .map { line in String(line.dropFirst(8).prefix { $0 != " " }) }
    }
}
