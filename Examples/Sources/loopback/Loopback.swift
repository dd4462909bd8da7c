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
            """
    )

    @Option(help: "The port to listen on; 0 for any free port.")
    var port: UInt16 = 0

    @Flag(help: "End when standard input closes, so that the server ends with its parent.")
    var untilStdinCloses = false

    func run() throws {
        var options = LoopbackOptions()
        options.port = port
        // This program has no reader for the log.
        options.loggedContentLimit = 0
        options.loggedExchangeLimit = 1
        let server = try LoopbackServer(options, script: LoopbackRoutes.standard)
        defer { server.stop() }

        print("listening on \(server.url)")
        _ = fflush(nil)  // the reader of a pipe waits for this line

        if untilStdinCloses {
            while readLine() != nil {}
        } else {
            while true { pause() }  // the server has its own thread
        }
    }
}
