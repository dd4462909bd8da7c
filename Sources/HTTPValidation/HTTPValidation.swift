// HTTPValidation.swift (no declarations, as HTTPCore.swift)
//
// The outcomes that a caller accepts: validators judge every outcome, responses and failures.
//
// Never here: sending again. A verdict may ask HTTPRetry's one engine for it, which may refuse.
//
// Read `HTTPVerdict` and `HTTPValidator`, then the middleware `Validation`, then
// `HTTPDefaultValidator`. `HTTPAnswer` is for services whose errors have a type of their own.
//
// Folders, each refers only to those after it: Refreshing, Validators, Verdicts.

// Its public events are reported by layers of this target. It is no product.
@_exported public import HTTPCredentials
