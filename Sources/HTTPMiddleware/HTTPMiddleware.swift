// What a client does around single exchanges: each a value that conforms to `HTTPClientMiddleware`, to be
// put around any session with `session.with(…)`.
//
// Never here: sockets, retries (HTTPRetry) and judgement of responses (HTTPValidation).
// Each type says for which row of the order of layers (Docs/Architecture.md) it is made.
