import Foundation
import HTTPTransportURLSession
import ProbeScenarios

let probe = Probe(
    makeSession: { URLSessionTransport() },
    close: { await ($0 as? URLSessionTransport)?.close() },
    liveHandles: { 0 })
exit(await probe.run(Array(CommandLine.arguments.dropFirst())))
