// HTTPMiddleware.swift (no declarations, as HTTPCore.swift)
//
// The rules that a client puts around single exchanges. Each is a value that conforms to
// `HTTPClientMiddleware` and can be put around any session with `session.with(…)`.
//
// Never here: sockets, retries (HTTPRetry) and judgement of responses (HTTPValidation).
//
// Read `Redirects`, `RefreshingAuthentication` and `OriginGuard`. `Redirection` makes the request
// that follows a redirect, `Redirects` sends it. What it must not carry to another origin is in
// `Redirects/HTTPRequest+CrossOrigin`; `OriginGuard` removes the secrets that layers add.
// `DefaultHeaders` has the last place in the precedence of fields, which `ImpliedFields` in
// HTTPCore states. In `Limiting/`, each limit decides in a value (`RateMeter`, `RateQueue`,
// `PauseTable`, `CircuitMachine`, `AdaptiveMachine`, `PermitRegistry`); Decision 0061 has their
// order, and what a fleet shares is behind `HTTPRateStore`, `HTTPPauseStore` and
// `HTTPCredentialStore`. `AuthenticationScheme` says where another scheme goes. `RequestSigning`
// takes a scheme that signs the whole request; `DigestCheck` has the rules of digests. The
// documentation of each type names its row in the order of layers (Docs/Architecture.md).
//
// Folders, each refers only to those after it: Authentication/OAuth, Authentication,
// Authentication/Challenges, Authentication/Credentials, Coalescing, Integrity, Limiting/Circuits,
// Limiting/Concurrency, Limiting/Pauses, Limiting/Rates, Limiting, Observing, Preparing,
// Redirects.

// Its public events are reported by layers of this target. It is no product.
@_exported public import HTTPCredentials
