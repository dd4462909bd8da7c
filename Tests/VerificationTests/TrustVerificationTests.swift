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
                -CAcreateserial -days "$3" -extfile "$1.extensions" -out "$1.pem"
        }
        sign good IP:127.0.0.1 2
        sign other DNS:other.test 2
        sign late IP:127.0.0.1 -1
        request -x509 -days 2 -keyout self.key -out self.pem -subj /CN=self \
            -addext subjectAltName=IP:127.0.0.1
        cat \#(store) authority.pem >bundle
        if [ "$2" = bundle ]; then
            mount --bind bundle \#(store)
        else
            cp -a \#(folder) certs
            cp bundle certs/$(basename \#(store))
            cp authority.pem certs/$(openssl x509 -noout -subject_hash -in authority.pem).0
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
        for port in 8440 8441 8442 8443; do "$1" fail https://127.0.0.1:$port/ 0; done
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
        let process = try OwnNetwork.process(
            Self.servers, [try ChildProcess.path(of: program), place])
        let end = try await process.end(within: .seconds(120))
        guard case .exited(0, let output) = end else {
            Issue.record("\(end)")
            return
        }
        let outcomes = output.split(separator: "\n").filter { $0.hasPrefix("outcome=") }
        #expect(outcomes.first?.hasPrefix("outcome=200 with ") == true, "\(output)")
        #expect(
            outcomes.dropFirst() == Array(repeating: "outcome=serverNotTrusted", count: 3)[...],
            "\(output)")
    }
}
