import DashboardModel
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Returns a server on 127.0.0.1 for the page and its events.
///
/// - Parameter running: Called with the port once the server listens.
func page(
    of dashboard: Dashboard, port: Int, logger: Logger, running: @escaping @Sendable (Int) -> Void
) -> some ApplicationProtocol {
    let router = Router()
    router.add(middleware: LocalOnly())
    router.get("/") { _, _ in
        Response(
            status: .ok, headers: .page,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.Page_html)))
    }
    router.get("/events") { request, _ in
        guard let updates = dashboard.updates() else { throw HTTPError(.serviceUnavailable) }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                // `write` waits while the browser does not read. Meanwhile nothing piles up: the
                // next update has all the changes.
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    for await update in updates.cancelOnGracefulShutdown() {
                        try await writer.write(try serverSentEvent(update))
                    }
                }
                try await writer.finish(nil)
            })
    }
    return Application(
        router: router,
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
        onServerRunning: { channel in running(channel.localAddress?.port ?? port) },
        logger: logger)
}

/// Returns an update as an event of the stream. JSON has no line ends, so it is one line of data.
private func serverSentEvent(_ update: CallStore.Update) throws -> ByteBuffer {
    var event = ByteBuffer(string: "event: \(update.isSnapshot ? "snapshot" : "changes")\ndata: ")
    event.writeBytes(try JSONEncoder().encode(update))
    event.writeString("\n\n")
    return event
}

extension HTTPFields {
    /// The fields of the page. The policy allows nothing from elsewhere, and makes the browser
    /// refuse to parse text as HTML.
    fileprivate static var page: HTTPFields {
        [
            .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy:
                "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                + "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'; require-trusted-types-for 'script'; "
                + "trusted-types 'none'",
        ]
    }
}

/// Refuses requests that name another host, so that a page from elsewhere whose name was made to
/// lead to 127.0.0.1 cannot read the dashboard.
private struct LocalOnly<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let authority = request.head.authority ?? ""
        let host = authority.split(separator: ":").first ?? ""
        guard host == "127.0.0.1" || host == "localhost" else {
            throw HTTPError(.misdirectedRequest)
        }
        return try await next(request, context)
    }
}
