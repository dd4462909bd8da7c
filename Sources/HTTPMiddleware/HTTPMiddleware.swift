// HTTPMiddleware.swift (comments only, as HTTPCore.swift)
//
// The rules that a client puts around single exchanges. Each is a value that conforms to
// `HTTPClientMiddleware` and can be put around any session with `session.with(…)`.
//
// Never here: sockets, retries (HTTPRetry) and judgement of responses (HTTPValidation).
//
// Read `Redirects`, `RefreshingAuthentication` and `OriginGuard`, the last of which decides what no
// other origin gets. `DefaultHeaders` has the last place in the precedence of fields, which
// `ImpliedFields` in HTTPCore states. Other authentication is a middleware like
// `BearerAuthentication`; a scheme that proves a password is one of `AuthenticationScheme`.
// The documentation of each type names its row in the order of layers (Docs/Architecture.md).
