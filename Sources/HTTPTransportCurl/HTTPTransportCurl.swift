// HTTPTransportCurl.swift (comments only)
//
// libcurl behind `HTTPSession`: an event loop on its own thread that drives multi handles with
// `curl_multi_socket_action`. Tasks and the loop share only two values, each with its own lock: the
// loop's `Mailbox` and the state of an `Exchange`.
//
// Never here: `curl_easy_perform`, a thread per request, Foundation, redirects, retries by
// policy, cookies.
//
// A request meets these, in this order, on its way to a server:
//
//   destination  what its URL and options name: the target, and the route to it
//   lane         the loop's record of a route: what runs, what waits, what its server has shown
//   pool         one of libcurl's multi handles, in which the request is sent
//   connection   the socket that libcurl has chosen, and what is known of it
//
// The loop is three objects that do not know each other. `Reactor` waits for sockets, commands and
// times. `Scheduler` decides which exchange goes next. `Connections` knows which connection a
// request may use, and which one is to be closed. `LoopCore` runs one turn after the other, and
// `Transfers` moves each `Transfer`, which is an exchange as the loop sees it, between them and
// libcurl.
//
// Threads: `CurlTransport` and the first half of `Exchange` run in the caller's task. All else runs
// on the loop's thread, up to `Exchange.deliver`, which resumes the task.
//
// The decisions are values without I/O: `TransferMachine` (the life of a transfer), `TransferFlow`
// (its pauses), `Scheduler`, `KeptConnections` (may a connection be used again),
// `HTTP3Availability`, `HostLookups` and `AddressRace`, `Resends` and `FreshStart` (may a request
// be sent again), `EarlyResponse`, `HeadCollector`, `Inflow`, `UploadBuffer`, `SocketTable`,
// `PoolPlaces`.
//
// Folders, each refers only to those after it: Loop, HTTP3, Addresses, Waiting, Exchange, Failures,
// Connections, Scheduling, Configuration, Addresses/Known, HTTP3/Service, TLS, Library, Heads,
// TLS/Values, Buffers, Network.
