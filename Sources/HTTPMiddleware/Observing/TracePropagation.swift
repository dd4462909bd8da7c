public import HTTPCore

/// A middleware that sends `traceparent`, and `tracestate` if there is one, so that the server's
/// part of a trace joins its client's (W3C Trace Context).
///
/// Each exchange is a span of its own. Its parent is ``current``, which tasks inherit. Without a
/// current span, nothing is sent. A request that already has the field keeps it.
///
/// Runs per exchange (row 11).
public struct TracePropagation: HTTPRequestInterceptor {
    /// The span of the code that sends. Bind it around the code that belongs to the span.
    @TaskLocal public static var current: TraceContext?

    private let started:
        @Sendable (_ span: TraceContext, _ parent: TraceContext, HTTPRequest) -> Void

    /// - Parameter started: receives each span that is sent, so that it can be recorded.
    public init(
        started:
            @escaping @Sendable (
                _ span: TraceContext, _ parent: TraceContext, HTTPRequest
            ) -> Void = { _, _, _ in }
    ) {
        self.started = started
    }

    public func process(request: inout HTTPRequest) async throws {
        guard let parent = Self.current, !request.headers.contains("traceparent") else { return }
        let span = parent.child
        try request.headers.set("traceparent", span.traceparent)
        if let state = span.state, !request.headers.contains("tracestate") {
            try request.headers.set("tracestate", state)
        }
        started(span, parent, request)
    }
}
