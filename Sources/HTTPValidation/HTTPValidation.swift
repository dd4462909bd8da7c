// HTTPValidation.swift (comments only, as HTTPCore.swift)
//
// What a caller accepts as an answer: validators judge every outcome, responses and failures alike.
//
// Never here: sending again. A validator that wants it asks HTTPRetry's one engine, which may refuse.
//
// Read `HTTPVerdict` and `HTTPValidator`, then `Validation`, the middleware around them, then
// `HTTPDefaultValidator`. `HTTPAnswer` is for services whose errors have a type of their own.
