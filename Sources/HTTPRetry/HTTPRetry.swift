// HTTPRetry.swift (comments only, as HTTPCore.swift)
//
// The one place that sends twice for the same answer: whether, after which wait, and how often.
//
// Never here: what makes an answer acceptable (HTTPValidation says so and asks), following redirects,
// refreshing credentials, resuming a broken body.
//
// Read `HTTPRetryStrategy` and `RetryPolicy` for what is wished, `RetryMachine` for what is granted,
// `RetryEngine` for how it is carried out, then `Retry`, the middleware around it.
