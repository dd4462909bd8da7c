// HTTPRetry.swift (comments only, as HTTPCore.swift)
//
// The one place that sends a call again: whether, after which wait, and how often.
//
// Never here: which responses are acceptable (HTTPValidation judges and asks for retries),
// redirects, refreshing credentials, resuming a broken body.
//
// Read `HTTPRetryStrategy`, `RetryPolicy` and `RetryRequest` for what is asked, `RetryMachine` for
// what is granted, `RetryEngine` for how it is carried out, then the middleware `Retry`.
