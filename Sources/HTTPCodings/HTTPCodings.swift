// HTTPCodings.swift (comments only, as HTTPCore.swift)
//
// Content codings (RFC 9110 §8.4): which there are, and what decodes and encodes them.
//
// The libraries are found in the running process (see CHTTPCodings), so that a program that sends a
// GET links nothing more. Decoding happens where a body is read, in its reader's task.
//
// Never here: which codings a transport asks for, and the limits on what it lets a server send.
//
// Read `HTTPContentCoding`; then `DecodingStage`, one coding as a state machine, and
// `ContentDecoder`, several of them; then `DecodedBodySource`, the body that a transport returns.
// `ContentEncoder` is the other direction. Requests whose content is compressed are made in
// HTTPMiddleware, so that a program that only receives does not carry them.
