/// The reply of a SOCKS proxy, or the reason why there was none: libcurl's `CURLproxycode`.
struct ProxyReply: Hashable {
    let code: Int

    /// `nil` if the code says nothing.
    init?(_ code: Int) {
        guard code > 0 else { return nil }
        self.code = code
    }

    /// `true` if the name of the server could not be resolved on this machine.
    var concernsName: Bool { code == 27 }

    /// `true` if the proxy would reply the same again.
    var isFinal: Bool {
        switch code {
        case 1, 2, 4...12, 17, 18, 23, 32, 33: true
        default: false
        }
    }

    /// The reply as a clause for a log.
    var clause: String {
        switch code {
        case 1, 2, 32: "it does not speak this version of SOCKS"
        case 3, 13...16, 28...30: "it closed the connection before it had connected to the server"
        case 4...6: "it asks for GSS-API, which is not supported"
        case 7, 8: "it does not accept the user name (SOCKS4)"
        case 9...11: "it cannot be sent so long a host, user name or password"
        case 12:
            "it accepts none of the offered methods of authentication; it may ask for credentials"
        case 17: "it does not connect to this kind of address"
        case 18: "it does not make connections"
        case 19: "the server refused its connection"
        case 20: "it has failed"
        case 21: "it cannot reach the host"
        case 22: "it cannot reach the network"
        case 23: "its rules do not allow the connection"
        case 24: "its connection to the server timed out"
        case 26: "it refused the connection, or could not make it (SOCKS4)"
        case 33: "it does not accept the user name or the password"
        default: "it did not connect to the server"
        }
    }
}
