import Foundation
import HTTPTransportURLSession
import ProbeScenarios

let probe = Probe(
    makeSession: { URLSessionTransport() },
    close: { await ($0 as? URLSessionTransport)?.close() },
    liveHandles: { 0 })
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 4, arguments[0] == "bare-storm" {
    await BareStorm.run(
        arguments[1], count: Int(arguments[2]) ?? 0, seed: UInt64(arguments[3]) ?? 0)
    exit(EXIT_SUCCESS)
}
exit(await probe.run(arguments))
