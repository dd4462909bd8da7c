// HTTPCore.swift (no declarations: a type named like its module breaks `HTTPCore.HTTPRequest`)
//
// The values of a request and a response; the seams `HTTPSession` (below) and
// `HTTPClientMiddleware` (around); and what every layer shares: one error, one timeline, one clock,
// one call.
//
// Never here: Foundation (FoundationEssentials is enough), sockets, threads, and policy such as
// retry, caching and redirects; nor its words, since each layer reports `HTTPLayerEvent`s of its
// own. Formats are in HTTPFormats: media types, typed fields, dates, queries, forms, JSON, readers
// of lines, events and parts, and bodies written by hand. Host names that are not all ASCII are
// mapped in InternationalDomainNames.
//
// Read `HTTPRequest`, `HTTPResponse`, `HTTPBody`, then `HTTPSession`, then `HTTPClientMiddleware`.
// `HTTPHeaders` holds the fields, whose shared syntax (names and values) is here.
// `HTTPCall` and `HTTPObserver` tie the attempts of one call together. `Locked` is the only lock.
// A task waits for another one in a `Waiter` or, if the owner of the wait has a locked state of its
// own, in a `WaiterSlot`.
//
// Folders, each refers only to those after it: Waiting, Response, Request, Body, Target, Message,
// URL, Timeline, Fields, Concurrency.

#if os(Windows)
    #error("This package is not built for Windows: its transports need POSIX sockets and files.")
#elseif os(Android)
    #error("This package is not built for Android: no transport was ever tried there.")
#endif
