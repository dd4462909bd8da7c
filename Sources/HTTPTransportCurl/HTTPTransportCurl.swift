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
// of its multi handles), `Transfer` (one exchange as the loop sees it). The decisions are values
// without I/O: `HeadCollector`, `Inflow`, `UploadBuffer`, `SocketTable`, `AdmissionQueue`,
// `PoolPlaces`, `KeptConnections` (may a connection be used again), `Resends` and `FreshStart` (may
// libcurl's own attempt to send again go on), `EarlyResponse`, `DecodingSlice`.
