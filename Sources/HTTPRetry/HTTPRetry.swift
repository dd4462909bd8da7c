// HTTPRetry.swift (comments only, as HTTPCore.swift)
//
// The one place that decides to send a call again after an outcome: whether, after which wait, and
// how often. Redirects and authentication send again by the protocol's own rules. A transport
// limits what its library resends by itself (`Resends` in the curl transport).
//
// Never here: which responses are acceptable (HTTPValidation judges and asks for retries),
// redirects, refreshing credentials, resuming a broken body.
//
// Read `HTTPRetryStrategy`, `RetryPolicy` and `RetryRequest` for what is asked, `RetryMachine` for
// what is granted, `Idempotency` for what may be sent twice at all, `RetryEngine` for how it is
// carried out, then the middleware `Retry`.
//
// Folders, each refers only to those after it: Engine, Policy.
