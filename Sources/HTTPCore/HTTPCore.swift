// HTTPCore.swift (comments only: a type named like its module breaks `HTTPCore.HTTPRequest`)
//
// The values of a request and a response; the seams `HTTPSession` (below) and
// `HTTPClientMiddleware` (around); and what every layer shares: one error, one timeline, one clock,
// one call.
//
// Never here: Foundation (FoundationEssentials is enough), sockets, threads, and policy such as
// retry, caching and redirects.
//
// Read `HTTPRequest`, `HTTPResponse`, `HTTPBody`, then `HTTPSession`, then `HTTPClientMiddleware`.
// `Fields/` reads and writes header fields, `URL/` parses URLs and origins, and `Body/` holds the
// kinds of body. Forms, JSON values, templates, charsets and readers are in HTTPFormats. `HTTPCall`
// and `HTTPObserver` tie the attempts of one call together. `Locked` is the only lock.
