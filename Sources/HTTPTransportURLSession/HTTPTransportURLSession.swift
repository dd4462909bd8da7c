// HTTPTransportURLSession.swift (comments only, see HTTPCore.swift for why no type has this name)
//
// URLSession behind `HTTPSession`: the only target that imports Foundation. On Apple platforms it is
// the transport of choice; on Linux it is for programs that have Foundation anyway and talk to
// servers they trust, since there a server can end the process (see `URLSessionTransport`).
//
// Never here: policy (redirects, cookies, caching, credentials, retry are switched off below us and
// belong above us), and settings that the platform ignores.
//
// Read `URLSessionTransport`, then `TaskBridge`, where one exchange's events from URLSession's queue
// meet the tasks that wait for them; `ReceiveLedger` and `SpillFile` keep its memory flat,
// `BodySpool` and `OutgoingStream` bring bodies out, `ExchangeLimits` decides about time.
// `URLSessionOwner` is the only one that makes, starts and cancels tasks.
