// HTTPCredentials.swift (no declarations, as HTTPCore.swift)
//
// The words that layers of several targets share about credentials: the owner of a response, the
// origin that issued a field, one refresh for many calls, and the events of a refresh. No product:
// HTTPMiddleware and HTTPValidation re-export the events.
//
// Never here: schemes and fields of credentials, which are in HTTPMiddleware and HTTPFormats.
//
// Read `SharedRefresh` with its `RefreshLedger`, then `CredentialIssuers` and `CacheOwner`.
