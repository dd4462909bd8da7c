import ArgumentParser
import HTTPTesting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The test server of `HTTPTesting` as a program.
@main
struct Loopback: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loopback",
        abstract: "Serves the standard routes of LoopbackServer on this machine only.",
        discussion: """
            Prints 'listening on http://127.0.0.1:PORT' and serves until it is killed. Among the \
            routes: /get, /echo, /bytes/N, /drip, /status/N, /delay/MS, /stall, /redirect/N, /cut.
            Two are of this program: /set-cookie?NAME=VALUE, and /secret, which asks for a password.
            """
    )

    @Option(help: "The port to listen on; 0 for any free port.")
    var port: UInt16 = 0

    @Flag(help: "End when standard input closes, so that the server ends with its parent.")
    var untilStdinCloses = false

    @Flag(help: "Write a line of JSON for each request, before it is answered.")
    var record = false

    func run() throws {
        var options = LoopbackOptions()
        options.port = port
        // This program has no reader for the log.
        options.loggedContentLimit = 0
        options.loggedExchangeLimit = 1
        let record = record
        let server = try LoopbackServer(
            options,
            script: { request in
                if record { Self.say(RequestRecord(request).line) }
                return Self.script(for: request) ?? LoopbackRoutes.standard(request)
            })
        defer { server.stop() }

        Self.say("listening on \(server.url)")

        if untilStdinCloses {
            while readLine() != nil {}
        } else {
            while true { pause() }  // the server has its own thread
        }
    }

    /// Writes a line at once, because the reader of a pipe waits for it. Not through the C library,
    /// whose streams another thread may hold while it waits for standard input.
    private static func say(_ line: String) {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
            }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Returns the script of this program's own routes, or `nil`.
    private static func script(for request: LoopbackRequest) -> LoopbackScript? {
        var response = LoopbackResponse.ok("welcome\n")
        switch request.path {
        case "/set-cookie":
            let cookie = request.target.drop { $0 != "?" }.dropFirst()
            response.fields.append(("Set-Cookie", "\(cookie); Path=/; Max-Age=600"))
        case "/secret":
            if request["Authorization"] == nil {
                response = .status(401)
                response.fields = [("WWW-Authenticate", "Basic realm=\"loopback\"")]
            }
        default: return nil
        }
        return [.respond(response)]
    }
}
