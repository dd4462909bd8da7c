// HTTPFormats.swift (comments only, as HTTPCore.swift)
//
// The formats of messages, on top of the values in HTTPCore: header fields as typed values, URLs,
// forms and JSON to write, and bodies to read as text, lines, JSON, events or parts. A body can
// also be written by hand, while the response is read.
//
// Never here: middleware, policy and sockets. Only `withDuplex` sends a request, through the
// session that it extends; everything else parses and writes bytes.
//
// A reader of a body is a value that takes bytes in any pieces, within a limit, and a thin sequence
// over `HTTPBody` around it.
//
// Read `HTTPHeaders+Typed`, the entry to the fields, and `StructuredField`; for writing,
// `QueryEncoding` and `MultipartForm`; for reading, `LineSplitter` and `Lines`, the pattern of the
// other readers; then `HTTPJSON`. `HTTPDigest` and `HMACSHA256` are for content and signatures.
//
// Folders, each refers only to those after it: Writing, Fields, Digests, StructuredFields,
// Templates, Encoding, Dates, Reading, JSON, Content, Charsets.
