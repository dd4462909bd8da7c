import HTTPTransportCurl
import ProbeScenarios

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

let probe = Probe(
    makeSession: { CurlTransport() },
    close: { await ($0 as? CurlTransport)?.close() },
    liveHandles: { CurlTransport.liveHandles })
exit(await probe.run(Array(CommandLine.arguments.dropFirst())))
