import ArgumentParser
import HTTPClientKit
import HTTPTransportCurl
import TransportChoice

/// The arguments for the network stack and its settings.
struct TransportArguments: ParsableArguments {
    @Option(help: "The network stack to send with.")
    var transport = TransportName.curl

    @OptionGroup(title: "Route, with --transport curl") var route: RouteArguments
    @OptionGroup(title: "TLS, with --transport curl") var tls: TLSArguments

    /// Returns a transport for a request, and adds to the request what is for its origin only.
    ///
    /// - Throws: `unsupportedOption` if an option is given that the transport cannot honour.
    func makeSession(
        _ name: TransportName, for request: inout HTTPRequest, decodesContent: Bool
    ) throws -> any HTTPSession {
        switch name {
        case .curl:
            let origin = try HTTPOrigin(request.url)
            var configuration = CurlConfiguration()
            configuration.decodesContent = decodesContent
            configuration.tls = try tls.settings(for: origin)
            configuration.proxies = try route.proxies()
            configuration.addresses = try route.addresses()
            switch route.family {
            case .ipv4: configuration.addressFamily = .ipv4
            case .ipv6: configuration.addressFamily = .ipv6
            case nil: break
            }
            if let identity = try tls.identity {
                var settings = configuration.tls
                settings.identity = identity
                request[TLSSettings.self] = settings
            }
            try route.complete(&request)
            return try CurlTransport(configuration)
        case .urlsession:
            if let option = route.givenOption ?? tls.givenOption {
                throw HTTPError(
                    .unsupportedOption,
                    "URLSession cannot honour \(option): send with --transport curl")
            }
            return try name.makeSession()
        }
    }
}
