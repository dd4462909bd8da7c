// HTTPCaching.swift (comments only, as HTTPCore.swift)
//
// The private cache of RFC 9111 as a middleware, and the stores below it.
//
// Never here: sockets, and anything that a response does not say about itself. The rules are pure
// values in `Policy/`; `HTTPCache` acts on them; a store keeps what it is told to and decides
// nothing.
//
// Read `HTTPCacheStore`, then `CacheDecision`, then `HTTPCache`.
//
// Folders, each refers only to those after it: Stores/Disk, Stores/Memory, Stores, Policy.
