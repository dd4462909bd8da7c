// HTTPCore.swift (comments only: a type named like its module breaks `HTTPCore.HTTPRequest`)
//
// What a request and a response are; the seams `HTTPSession` (below) and `HTTPClientMiddleware`
// (around); and what every layer shares: one error, one timeline, one clock, one call.
//
// Never here: Foundation (FoundationEssentials is enough), sockets, threads, and policy such as
// retry, caching and redirects.
//
// Read `HTTPRequest`, `HTTPResponse`, `HTTPBody`, then `HTTPSession`, then `HTTPClientMiddleware`.
// What a field means is in `Fields/`; what writes a URL or a body is in `Encoding/`; what reads a body
// piece by piece is in `Reading/`: each a value that takes bytes in any pieces, and a thin sequence
// over `HTTPBody`. `HTTPCall` and `HTTPObserver` tie the attempts of one call together. `Locked` is the only lock.
