import HTTPCore
import HTTPTesting
import Testing

extension OwnNetwork {
    /// `true` if two networks can be joined by a cable that loses packets.
    fileprivate static let canLose: Bool =
        isAvailable && has(["nft", "tc", "nsenter"]) && succeeds("\(network); kill $peer")

    /// `true` if the resolver can be replaced in such a network.
    fileprivate static let canHideResolver: Bool =
        isAvailable
        && succeeds("file=$(readlink -f /etc/resolv.conf); mount --bind \"$file\" \"$file\"")

    /// A second network beside this one, where `there` runs a program.
    ///
    /// Its address is 10.77.0.2, at the other end of a pair of virtual Ethernet devices. Packets to
    /// this address reach the ports of its 127.0.0.1. In each direction one packet of 200 is lost,
    /// one of 5,000 is answered by a reset, and all share 50 MB/s.
    fileprivate static let network = """
        unshare --net sleep 100000 & peer=$!
        there() { nsenter --net="/proc/$peer/ns/net" "$@"; }
        until [ "$(readlink "/proc/$peer/ns/net")" != "$(readlink /proc/self/ns/net)" ]; do :; done
        ip link add client type veth peer name server netns "$peer"
        ip address add 10.77.0.1/24 dev client
        ip link set client up
        there ip link set lo up
        there ip address add 10.77.0.2/24 dev server
        there ip link set server up
        there sh -c 'echo 1 >/proc/sys/net/ipv4/conf/all/route_localnet'
        there nft add table ip nat
        there nft add chain ip nat prerouting '{ type nat hook prerouting priority -100; }'
        there nft add rule ip nat prerouting ip daddr 10.77.0.2 dnat to 127.0.0.1
        losses='
            add table inet chaos
            add chain inet chaos input { type filter hook input priority 0; }
            add rule inet chaos input meta l4proto tcp numgen random mod 1000 < 5 drop
            add rule inet chaos input meta l4proto tcp numgen random mod 10000 < 2 \
            reject with tcp reset
        '
        echo "$losses" | nft -f -
        echo "$losses" | there nft -f -
        tc qdisc add dev client root tbf rate 400mbit burst 256k latency 50ms
        there tc qdisc add dev server root tbf rate 400mbit burst 256k latency 50ms
        """
}

extension VerificationTests {
    @Test(.enabled(if: OwnNetwork.canLose, "needs root, unshare, nsenter, ip, nft and tc"))
    func `on a network that loses, breaks and stalls, every request ends once and in time`()
        async throws
    {
        let seconds = Counts.isFull ? 300 : 8
        let hasEcho = OwnNetwork.has(["openssl", "nghttpd"])
        // The ports of networks that no other program uses.
        let script = """
            \(OwnNetwork.network)
            folder=$(mktemp -d); echo=none
            if [ "$4" = yes ]; then
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
                    -keyout "$folder/key" -out "$folder/certificate" -subj /CN=chaos \
                    -addext subjectAltName=IP:10.77.0.2 2>/dev/null
                there nghttpd -a 127.0.0.1 -d "$folder" --echo-upload 8443 "$folder/key" \
                    "$folder/certificate" >/dev/null 2>&1 &
                echo=8443
                PROBE_AUTHORITY="$folder/certificate"
                export PROBE_AUTHORITY
            fi
            mkfifo "$folder/hold" "$folder/said"
            there "$1" chaos-server "$3" "$echo" <"$folder/hold" >"$folder/said" &
            exec 3>"$folder/hold" 4<"$folder/said"
            read -r plain secure <&4
            "$1" chaos "$2" "$3" 10.77.0.2 "$plain" "$secure"
            exec 3>&-
            cat <&4
            rm -rf "$folder"
            """
        let process = try OwnNetwork.process(
            script,
            [try ChildProcess.path(of: "curl-probe"), "\(seconds)", "20", hasEcho ? "yes" : "no"])
        let values = try await process.results(within: .seconds(seconds + 240))
        func number(_ key: String) -> Int { values[key].flatMap { Int($0) } ?? -1 }
        #expect(number("requests") == number("answered") + number("failed"), "\(values)")
        #expect(number("answered") > 0, "\(values)")
        // On a slow machine, few exchanges end in a short time.
        #expect(number("failed") > 0 || !Counts.isFull, "\(values)")
        #expect(number("wrong") == 0, "\(values["first_wrong"] ?? "")")
        #expect(number("repeated") == 0, "\(values)")
        #expect(number("leaked_handles") == 0)
        if hasEcho { #expect(number("answered_http2") > 0, "\(values)") }
        // The deadline of each is 5 s. A slow machine needs the rest.
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
    func `a name that is never resolved holds up neither cancelling nor others`() async throws {
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
