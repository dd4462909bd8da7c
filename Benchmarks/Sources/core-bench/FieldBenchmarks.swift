import HTTPCore
import HTTPTypes
import NIOHTTP1

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Header sections of twelve fields, compared with swift-http-types and NIO.
enum FieldBenchmarks {
    static var all: [Comparison] {
        [
            Comparison(
                name: "fields from strings",
                benchmarks: [
                    Benchmark(operation: "HTTPFields") { fields().count },
                    Benchmark(operation: "NIO") { nioHeaders().count },
                    Benchmark(operation: "HTTPHeaders") { try headers().count },
                ]),
            Comparison(
                name: "fields from a wire",
                benchmarks: [
                    Benchmark(operation: "HTTPFields") { fieldsOfWire().count },
                    Benchmark(operation: "NIO") { nioHeadersOfWire().count },
                    Benchmark(operation: "HTTPHeaders") { headersOfWire().count },
                ]),
            Comparison(
                name: "fields looked up",
                benchmarks: {
                    let (fields, nioHeaders, headers) =
                        (fieldsOfWire(), nioHeadersOfWire(), headersOfWire())
                    return [
                        Benchmark(operation: "HTTPFields") { lookUp(fields) },
                        Benchmark(operation: "NIO") { lookUp(nioHeaders) },
                        Benchmark(operation: "HTTPHeaders") { lookUp(headers) },
                    ]
                }()),
            Comparison(
                name: "fields from a wire, then looked up",
                benchmarks: [
                    Benchmark(operation: "HTTPFields") { lookUp(fieldsOfWire()) },
                    Benchmark(operation: "NIO") { lookUp(nioHeadersOfWire()) },
                    Benchmark(operation: "HTTPHeaders") { lookUp(headersOfWire()) },
                ]),
            Comparison(
                name: "fields one by one",
                benchmarks: {
                    let (fields, nioHeaders, headers) =
                        (fieldsOfWire(), nioHeadersOfWire(), headersOfWire())
                    return [
                        Benchmark(operation: "HTTPFields") {
                            fields.reduce(0) {
                                $0 &+ $1.name.rawName.utf8.count &+ $1.value.utf8.count
                            }
                        },
                        Benchmark(operation: "NIO") {
                            nioHeaders.reduce(0) {
                                $0 &+ $1.name.utf8.count &+ $1.value.utf8.count
                            }
                        },
                        Benchmark(operation: "HTTPHeaders") {
                            headers.reduce(0) {
                                $0 &+ $1.name.spelling.utf8.count &+ $1.value.utf8.count
                            }
                        },
                    ]
                }()),
        ]
    }

    // MARK: From strings

    @inline(never) private static func headers() throws -> HTTPCore.HTTPHeaders {
        var headers = HTTPCore.HTTPHeaders()
        try headers.append(.accept, SampleHead.Value.accept)
        try headers.append(.acceptEncoding, SampleHead.Value.acceptEncoding)
        try headers.append(.acceptLanguage, SampleHead.Value.acceptLanguage)
        try headers.append(.authorization, SampleHead.Value.authorization)
        try headers.append(.cacheControl, SampleHead.Value.cacheControl)
        try headers.append(.contentLength, SampleHead.Value.contentLength)
        try headers.append(.contentType, SampleHead.Value.contentType)
        try headers.append(.cookie, SampleHead.Value.cookie)
        try headers.append(.ifNoneMatch, SampleHead.Value.ifNoneMatch)
        try headers.append(.origin, SampleHead.Value.origin)
        try headers.append(.referer, SampleHead.Value.referer)
        try headers.append(.userAgent, SampleHead.Value.userAgent)
        return headers
    }

    @inline(never) private static func fields() -> HTTPFields {
        var fields = HTTPFields()
        fields.append(HTTPField(name: .accept, value: SampleHead.Value.accept))
        fields.append(HTTPField(name: .acceptEncoding, value: SampleHead.Value.acceptEncoding))
        fields.append(HTTPField(name: .acceptLanguage, value: SampleHead.Value.acceptLanguage))
        fields.append(HTTPField(name: .authorization, value: SampleHead.Value.authorization))
        fields.append(HTTPField(name: .cacheControl, value: SampleHead.Value.cacheControl))
        fields.append(HTTPField(name: .contentLength, value: SampleHead.Value.contentLength))
        fields.append(HTTPField(name: .contentType, value: SampleHead.Value.contentType))
        fields.append(HTTPField(name: .cookie, value: SampleHead.Value.cookie))
        fields.append(HTTPField(name: .ifNoneMatch, value: SampleHead.Value.ifNoneMatch))
        fields.append(HTTPField(name: .origin, value: SampleHead.Value.origin))
        fields.append(HTTPField(name: .referer, value: SampleHead.Value.referer))
        fields.append(HTTPField(name: .userAgent, value: SampleHead.Value.userAgent))
        return fields
    }

    @inline(never) private static func nioHeaders() -> NIOHTTP1.HTTPHeaders {
        var headers = NIOHTTP1.HTTPHeaders()
        headers.add(name: "Accept", value: SampleHead.Value.accept)
        headers.add(name: "Accept-Encoding", value: SampleHead.Value.acceptEncoding)
        headers.add(name: "Accept-Language", value: SampleHead.Value.acceptLanguage)
        headers.add(name: "Authorization", value: SampleHead.Value.authorization)
        headers.add(name: "Cache-Control", value: SampleHead.Value.cacheControl)
        headers.add(name: "Content-Length", value: SampleHead.Value.contentLength)
        headers.add(name: "Content-Type", value: SampleHead.Value.contentType)
        headers.add(name: "Cookie", value: SampleHead.Value.cookie)
        headers.add(name: "If-None-Match", value: SampleHead.Value.ifNoneMatch)
        headers.add(name: "Origin", value: SampleHead.Value.origin)
        headers.add(name: "Referer", value: SampleHead.Value.referer)
        headers.add(name: "User-Agent", value: SampleHead.Value.userAgent)
        return headers
    }

    // MARK: From bytes

    private static let wire = ForeignLines(SampleHead.response)

    /// Parses line by line, as the curl transport does.
    @inline(never) private static func headersOfWire() -> HTTPCore.HTTPHeaders {
        var headers = HTTPCore.HTTPHeaders()
        wire.forEach { _ = headers.append(line: $0) }
        return headers
    }

    @inline(never) private static func fieldsOfWire() -> HTTPFields {
        var fields = HTTPFields()
        fields.reserveCapacity(12)
        wire.forEach { line in
            guard let (name, value) = parts(of: line), let name = HTTPField.Name(name) else {
                return
            }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }

    @inline(never) private static func nioHeadersOfWire() -> NIOHTTP1.HTTPHeaders {
        var headers = NIOHTTP1.HTTPHeaders()
        headers.reserveCapacity(12)
        wire.forEach { line in
            guard let (name, value) = parts(of: line) else { return }
            headers.add(name: name, value: value)
        }
        return headers
    }

    /// Splits a line: the minimal work of a transport for the other libraries.
    @inline(__always) private static func parts(
        of line: Span<UInt8>
    ) -> (name: String, value: String)? {
        unsafe line.withUnsafeBufferPointer { line in
            guard let start = line.baseAddress,
                let found = unsafe memchr(start, Int32(UInt8(ascii: ":")), line.count)
            else { return nil }
            let colon = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(start)
            var value = colon + 1
            while value < line.count, unsafe line[value] == UInt8(ascii: " ") { value += 1 }
            return unsafe (
                String(decoding: UnsafeBufferPointer(rebasing: line[..<colon]), as: UTF8.self),
                String(decoding: UnsafeBufferPointer(rebasing: line[value...]), as: UTF8.self)
            )
        }
    }

    // MARK: Lookup of five existing fields and one missing field

    @inline(never) private static func lookUp(_ headers: HTTPCore.HTTPHeaders) -> Int {
        var sum = headers[.contentType]?.utf8.count ?? 0
        sum &+= headers[.contentLength]?.utf8.count ?? 0
        sum &+= headers[.cacheControl]?.utf8.count ?? 0
        sum &+= headers[.eTag]?.utf8.count ?? 0
        sum &+= headers[.date]?.utf8.count ?? 0
        sum &+= headers[.retryAfter]?.utf8.count ?? 0
        return sum
    }

    @inline(never) private static func lookUp(_ fields: HTTPFields) -> Int {
        var sum = fields[.contentType]?.utf8.count ?? 0
        sum &+= fields[.contentLength]?.utf8.count ?? 0
        sum &+= fields[.cacheControl]?.utf8.count ?? 0
        sum &+= fields[.eTag]?.utf8.count ?? 0
        sum &+= fields[.date]?.utf8.count ?? 0
        sum &+= fields[.retryAfter]?.utf8.count ?? 0
        return sum
    }

    @inline(never) private static func lookUp(_ headers: NIOHTTP1.HTTPHeaders) -> Int {
        var sum = headers.first(name: "Content-Type")?.utf8.count ?? 0
        sum &+= headers.first(name: "Content-Length")?.utf8.count ?? 0
        sum &+= headers.first(name: "Cache-Control")?.utf8.count ?? 0
        sum &+= headers.first(name: "ETag")?.utf8.count ?? 0
        sum &+= headers.first(name: "Date")?.utf8.count ?? 0
        sum &+= headers.first(name: "Retry-After")?.utf8.count ?? 0
        return sum
    }
}
