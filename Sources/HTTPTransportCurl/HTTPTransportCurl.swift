// HTTPTransportCurl.swift (comments only)
//
// libcurl behind `HTTPSession`: an event loop on its own thread that drives multi handles with
// `curl_multi_socket_action`. Tasks and the loop share only two values, each with its own lock: the
// loop's mailbox and an exchange's state.
//
// Never here: `curl_easy_perform`, a thread per request, Foundation, redirects, retries, cookies.
//
// Read `CurlTransport` (the public type), `Exchange` (the part that a task and the loop share),
// `EventLoop` (the mailbox and the thread), `LoopCore` (a turn of the loop), `ConnectionPool` (one
// of its multi handles), `Transfer` (one exchange as the loop sees it). The decisions are values
// without I/O: `HeadCollector`, `Inflow`, `UploadBuffer`, `SocketTable`, `DeadlineHeap`,
// `AdmissionQueue`, `PoolPlaces`.
