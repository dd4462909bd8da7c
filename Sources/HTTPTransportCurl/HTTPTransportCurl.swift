// HTTPTransportCurl.swift (comments only)
//
// libcurl behind `HTTPSession`: an event loop on its own thread that drives multi handles with
// `curl_multi_socket_action`. Tasks and the loop share only two values, each with its own lock: the
// loop's mailbox and an exchange's state.
//
// Never here: `curl_easy_perform`, a thread per request, Foundation, redirects, retries by
// policy, cookies.
//
// Read `CurlTransport` (the public type), `Exchange` (the part that a task and the loop share),
// `EventLoop` (the mailbox and the thread), `LoopCore` (a turn of the loop), `ConnectionPool` (one
// of its multi handles), `Transfer` (one exchange as the loop sees it), `HandlePool` (which handles
// stay warm). The decisions are values without I/O: `TransferMachine` (the life of a transfer),
// `TransferFlow` (its pauses), `HeadCollector`, `Inflow`, `UploadBuffer`, `SocketTable`,
// `AdmissionQueue`, `PoolPlaces`, `KeptConnections` (may a connection be used again), `HostLookups`
// (which requests wait for the resolver), `Resends` and `FreshStart` (may libcurl's own attempt to
// send again go on), `EarlyResponse`.
//
// libcurl's callbacks know `CurlEasyEvents`, pools know `PoolLoop` and transfers `TransferLoop`: no
// folder refers to those above it.
