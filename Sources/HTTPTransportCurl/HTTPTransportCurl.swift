// HTTPTransportCurl.swift (comments only)
//
// libcurl behind `HTTPSession`: event loops on threads of their own, which drive multi handles with
// `curl_multi_socket_action`. An origin has one loop. Tasks and a loop share its `Mailbox` and the
// state and the record of each `Exchange`, each with its own lock, and the TLS contexts.
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
// libcurl. A transfer sees it as a `TransferLoop`. All share a `LoopTurn`.
//
// A response takes this way back:
//
//   LoopCore.turn              waits, and passes a socket that is ready to its pool
//   ConnectionPool.act         calls `curl_multi_socket_action`
//   Transfer+Events            within it, callbacks keep what has come, and wake no task
//   Transfers.collectFinished  ends what libcurl has finished, or starts it again
//   Transfers.flush            has each transfer with news deliver them, until none has any
//   Transfer+Delivery          `flush` reports events, and gives the exchange what has come
//   Exchange.deliver           stores it, and returns the suspension of the task that waits for it
//   LoopTurn.resumeTasks       resumes the tasks of the turn: one here, several on Swift's pool. A
//                              task of another priority, or of this thread, was resumed at once
//   Exchange.arrival           goes on in the task, and then `CurlTransport.response`
//
// A kept connection that libcurl has chosen is refused just before the request is written, in
// `Transfer.mayWrite`. If its address or its version is refused, the request ends. It starts again
// if `Transfers.willSend` refuses: by what `Connections.begin` finds (something to read, spent, not
// settled), or because another send of the same call already waits on it in vain. Connections are
// marked as spent in `Transfers+Connections`.
//
// Threads:
//
//   caller's task    `CurlTransport`, the task's side of `Exchange`, decoding of content codings
//   `http-curl`      a loop: all of libcurl, its callbacks, the file that a response is written
//                    to, events of exchanges, and tasks of a program that prefer
//                    `taskExecutor(for:)`. `.queued` and the `.ended` of a decoded body are
//                    reported by the caller's task, as are the events of layers
//   Swift's pool     the producer of a request's body, pieces of its files that are not in memory,
//                    a resolver of the program, the resumption of several tasks
//   `http-lookup`    one look-up by the system, `AddressSearch`; libcurl may have its own
//
// The decisions are values without I/O: `TransferMachine` (the life of a transfer), `TransferFlow`
// (its pauses), `Scheduler`, `KeptConnections` (the facts of connections),
// `HTTP3Availability`, `HostLookups` and `AddressRace`, `Resends` and `FreshStart` (may a request
// be sent again), `EarlyResponse`, `HeadCollector`, `Inflow`, `UploadBuffer`, `SocketTable`,
// `Lane.Places`.
//
// Folders, each refers only to those after it: Loop, HTTP3, Addresses, Waiting, Exchange, Failures,
// Connections, Scheduling, Configuration, Addresses/Known, HTTP3/Service, TLS, Library, Heads,
// TLS/Values, Buffers, Network.
