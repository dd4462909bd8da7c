// HTTPTransportCurl.swift (comments only)
//
// libcurl behind `HTTPSession`: an event loop on a thread of its own that drives multi handles by
// `curl_multi_socket_action`. Tasks and loop meet in two places only, each one lock around one
// value: the loop's mailbox and an exchange's state.
//
// Never here: `curl_easy_perform`, a thread per request, Foundation, redirects, retries, cookies.
//
// Read `CurlTransport` (what users see), `Exchange` (what a task and the loop share), `EventLoop`
// (the mailbox and the thread), `LoopCore` (a turn of the loop), `ConnectionPool` (one of its multi handles), `Transfer` (one exchange as the
// loop sees it). The decisions are values without I/O: `HeadCollector`, `Inflow`, `UploadBuffer`,
// `SocketTable`, `DeadlineHeap`, `AdmissionQueue`, `PoolPlaces`.
