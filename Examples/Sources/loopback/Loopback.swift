import ArgumentParser
import HTTPTesting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The test server of `HTTPTesting` as a program of its own.
@main
struct Loopback: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loopback",
        abstract: "Serves the standard routes of LoopbackServer on this machine alone.",
        discussion: """
            Prints 'listening on http://127.0.0.1:PORT' and serves until it is killed. Among the \
            routes: /get, /echo, /bytes/N, /drip, /status/N, /delay/MS, /stall, /redirect/N, /cut.
            """
    )

    @Option(help: "The port to listen on; 0 for any that is free.")
    var port: UInt16 = 0

    @Flag(help: "End when standard input does: a parent that dies takes the server with it.")
    var untilStdinCloses = false

    func run() throws {
        var options = LoopbackOptions()
        options.port = port
        // Nobody reads the log of this program.
        options.loggedContentLimit = 0
        options.loggedExchangeLimit = 1
        let server = try LoopbackServer(options, script: LoopbackRoutes.standard)
        defer { server.stop() }

        print("listening on \(server.url)")
        _ = fflush(nil)  // a pipe's reader waits for this line

        if untilStdinCloses {
            while readLine() != nil {}
        } else {
            while true { pause() }  // the server has a thread of its own
        }
    }
}
