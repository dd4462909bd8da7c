// HTTPTransportURLSession.swift (comments only, see HTTPCore.swift for why no type has this name)
//
// URLSession behind `HTTPSession`: the only target that imports Foundation. On Apple platforms it
// is the transport of choice. On Linux it is for programs that use Foundation anyway and talk to
// servers they trust, because a server can end the process there (see `URLSessionTransport`).
//
// Never here: settings that the platform ignores, and policy. Redirects, cookies, caching,
// credentials and retries are switched off in URLSession and belong in the layers above.
//
// Read `URLSessionTransport`, then `TaskBridge`, where the events of one exchange from URLSession's
// queue meet the tasks that wait for them. `ReceiveLedger` and `SpillFile` keep memory use flat,
// `BodySpool` and `OutgoingStream` send bodies, and `ExchangeLimits` decides about time. Only
// `URLSessionOwner` creates, starts and cancels tasks.
//
// Folders, each refers only to those after it: Tasks, Mapping, Buffers.
