import HTTPTransportCurl
import ProbeScenarios
import PortableLibc

/// The authority to trust over TLS, if a scenario needs its own: a file, or a directory with a
/// slash at its end.
let authority = unsafe getenv("PROBE_AUTHORITY").map { unsafe String(cString: $0) }
var configuration = CurlConfiguration()
if let authority {
    configuration.tls.trust =
        .only(authority.hasSuffix("/") ? .directory(authority) : .file(authority))
}
let probe = Probe(
    makeSession: { [configuration] in try CurlTransport(configuration) },
    close: { await ($0 as? CurlTransport)?.close() },
    liveHandles: { CurlTransport.liveHandles })
exit(await probe.run(Array(CommandLine.arguments.dropFirst())))
