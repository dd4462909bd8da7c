// The rules that a client puts around single exchanges. Each is a value that conforms to
// `HTTPClientMiddleware` and can be put around any session with `session.with(…)`.
//
// Never here: sockets, retries (HTTPRetry) and judgement of responses (HTTPValidation).
// The documentation of each type names its row in the order of layers (Docs/Architecture.md).
