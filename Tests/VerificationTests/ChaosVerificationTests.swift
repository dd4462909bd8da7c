import HTTPCore
import HTTPTesting
import Testing

extension OwnNetwork {
    /// Whether packets can be lost and slowed down there.
    fileprivate static let canLose: Bool =
        isAvailable && has(["nft", "tc"]) && succeeds(losses)

    /// Whether names can be asked of another resolver there.
    fileprivate static let canHideResolver: Bool =
        isAvailable
        && succeeds("file=$(readlink -f /etc/resolv.conf); mount --bind \"$file\" \"$file\"")

    /// One packet of 200 is lost, one of 5,000 answered by a reset, and all share 50 MB/s.
    fileprivate static let losses = """
        nft add table inet chaos
        nft add chain inet chaos input '{ type filter hook input priority 0; }'
        nft add rule inet chaos input meta l4proto tcp numgen random mod 1000 '<' 5 drop
        nft add rule inet chaos input meta l4proto tcp numgen random mod 10000 '<' 2 \
            reject with tcp reset
        tc qdisc add dev lo root tbf rate 400mbit burst 256k latency 50ms
        """
}

extension VerificationTests {
    @Test(.enabled(if: OwnNetwork.canLose, "needs root, unshare, ip, nft and tc"))
    func `on a network that loses, breaks and stalls, every request ends once and in time`()
        async throws
    {
        let seconds = Counts.isFull ? 300 : 8
        let hasEcho = OwnNetwork.has(["openssl", "nghttpd"])
        // A port of a network that nobody shares.
        let script = """
            folder=$(mktemp -d); echo=none
            if [ "$4" = yes ]; then
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
                    -keyout "$folder/key" -out "$folder/certificate" -subj /CN=chaos \
                    -addext subjectAltName=IP:127.0.0.1 2>/dev/null
                nghttpd -a 127.0.0.1 -d "$folder" --echo-upload 8443 "$folder/key" \
                    "$folder/certificate" >/dev/null 2>&1 &
                echo=8443
                PROBE_AUTHORITY="$folder/certificate"
                export PROBE_AUTHORITY
            fi
            \(OwnNetwork.losses)
            "$1" chaos "$2" "$3" "$echo"
            rm -rf "$folder"
            """
        let process = try OwnNetwork.process(
            script,
            [try ChildProcess.path(of: "curl-probe"), "\(seconds)", "20", hasEcho ? "yes" : "no"])
        let values = try await process.results(within: .seconds(seconds + 240))
        func number(_ key: String) -> Int { values[key].flatMap { Int($0) } ?? -1 }
        #expect(number("requests") == number("answered") + number("failed"), "\(values)")
        #expect(number("answered") > 0, "\(values)")
        // On a slow machine little happens in a short time.
        #expect(number("failed") > 0 || !Counts.isFull, "\(values)")
        #expect(number("wrong") == 0, "\(values["first_wrong"] ?? "")")
        #expect(number("repeated") == 0, "\(values)")
        #expect(number("leaked_handles") == 0)
        if hasEcho { #expect(number("answered_http2") > 0, "\(values)") }
        // The deadline of each is 5 s; what is beyond is the machine's.
        let isInTime = (0..<35_000).contains(number("latest_milliseconds"))
        #expect(isInTime, "\(values)")
        let isMet = isInTime && number("wrong") == 0 && number("repeated") == 0
        figure(
            "\(seconds) s of loss, resets and stalls, 5 s for each request\(Counts.sanitizer)",
            "\(number("answered")) answered, \(number("failed")) failed "
                + "(\(values["codes"] ?? "")), the last after \(number("latest_milliseconds")) ms",
            "each ends once, as promised, by its deadline", isMet)
    }

    @Test(.enabled(if: OwnNetwork.canHideResolver, "needs root, unshare, ip and mount"))
    func `a name that nobody resolves holds up neither cancelling nor others`() async throws {
        let script = """
            file=$(mktemp); echo 'nameserver 127.0.0.1' >"$file"
            mount --bind "$file" "$(readlink -f /etc/resolv.conf)"
            rm "$file"
            exec "$1" black-hole
            """
        let process = try OwnNetwork.process(script, [try ChildProcess.path(of: "curl-probe")])
        let end = try await process.end(within: .seconds(120))
        guard case .exited(0, let output) = end else {
            Issue.record("\(end)")
            return
        }
        let outcomes = output.split(separator: "\n").filter { $0.hasPrefix("outcome=") }
        #expect(outcomes == Array(repeating: "outcome=cancelled", count: 3))
        #expect(ChildProcess.values(in: output)["leaked_handles"] == "0")
    }
}
