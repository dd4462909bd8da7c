import HTTPCore
import PortableFoundation

/// The stored responses of one key, as they are in its file.
///
/// The file has a magic number, the key, the responses, and an XXH64 of everything before it.
/// Integers are little-endian; a text has its length in bytes before it; a header section is
/// written in lines, as in a message. A body of at most ``inlineLimit`` bytes is in the file.
struct DiskCacheEntry: Sendable {
    struct Stored: Sendable {
        var response: HTTPStoredResponse
        /// The body, or `nil` if it is in a file of its own.
        var inlineBody: ArraySlice<UInt8>?
    }

    /// The longest body that is in this file.
    static let inlineLimit: Int64 = 16 << 10
    /// The most bytes of a response in the file, without its body, and of a key.
    static let headLimit = 256 << 10
    /// No file is longer.
    static let sizeLimit = 8 << 20

    /// The kind of file and the version of its format.
    private static let magic = Array("HTTPCEN1".utf8)

    let key: HTTPCacheKey
    var responses: [Stored] = []

    init(_ key: HTTPCacheKey) { self.key = key }

    /// Returns the stored response with this id.
    func stored(_ id: String) -> Stored? { responses.first { $0.response.id == id } }

    /// The ids of the bodies that are in files of their own.
    var bodyFiles: [String] {
        responses.filter { $0.inlineBody == nil }.map(\.response.id)
    }

    /// Adds a response in place of the one of the same variant.
    mutating func insert(_ new: Stored) {
        responses.removeAll {
            $0.response.variant == new.response.variant || $0.response.id == new.response.id
        }
        if responses.count >= HTTPStoredResponse.variantLimit,
            let oldest = responses.indices.min(by: {
                responses[$0].response.responseDate < responses[$1].response.responseDate
            })
        {
            responses.remove(at: oldest)
        }
        responses.append(new)
    }

    // MARK: Writing

    func encoded() -> [UInt8] {
        var writer = ByteWriter()
        writer.bytes += Self.magic
        writer.append(key.partition)
        writer.append(key.url)
        writer.append(UInt32(truncatingIfNeeded: responses.count))
        for stored in responses { writer.append(stored) }
        writer.append(unsafe XXH64.hash(writer.bytes.span.bytes))
        return writer.bytes
    }

    /// Returns the number of bytes of a response without its body.
    static func headLength(of response: HTTPStoredResponse) -> Int {
        var writer = ByteWriter()
        writer.append(Stored(response: response, inlineBody: nil))
        return writer.bytes.count
    }

    // MARK: Reading

    /// Reads a file.
    ///
    /// - Parameter expected: The key to which the file must belong; `nil` for any.
    /// - Returns: `nil` unless the file is whole and belongs to this key.
    init?(_ bytes: [UInt8], of expected: HTTPCacheKey?) {
        var reader = ByteReader(bytes)
        guard let hash = reader.readLast() else { return nil }
        let hashed = unsafe XXH64.hash(bytes.span.bytes.extracting(0..<reader.end))
        guard hash == hashed,
            reader.skip(Self.magic), let key = reader.readKey(expected),
            let count = reader.readUInt32(), count <= HTTPStoredResponse.variantLimit
        else { return nil }
        self.key = key
        for _ in 0..<count {
            guard let stored = reader.readStored() else { return nil }
            responses.append(stored)
        }
        guard reader.isAtEnd else { return nil }
    }
}

// MARK: - The format of a response

extension ByteWriter {
    fileprivate mutating func append(_ stored: DiskCacheEntry.Stored) {
        let response = stored.response
        append(response.id)
        append(UInt32(truncatingIfNeeded: response.status.code))
        append(response.requestDate)
        append(response.responseDate)
        append(response.variant)
        append(UInt32(truncatingIfNeeded: response.selectingFields.count))
        for name in response.selectingFields { append(name) }
        append(response.headers)
        append(UInt32(response.trailers == nil ? 0 : 1))
        if let trailers = response.trailers { append(trailers) }
        append(UInt64(bitPattern: response.bodyLength))
        append(UInt32(stored.inlineBody == nil ? 0 : 1))
        if let body = stored.inlineBody { bytes += body }
    }

    private mutating func append(_ date: Date) {
        append(date.timeIntervalSinceReferenceDate.bitPattern)
    }

    private mutating func append(_ headers: HTTPHeaders) {
        let start = bytes.count
        append(UInt32(0))
        for index in headers.indices {
            headers.withBytes(at: index) { name, value in
                bytes += name
                bytes += ": ".utf8
                bytes += value
                bytes += "\r\n".utf8
            }
        }
        set(UInt32(truncatingIfNeeded: bytes.count - start - 4), at: start)
        // The marks of `setSensitive`, which hide values that their names do not hide.
        let marks = headers.filter { $0.isSensitive != $0.name.isSensitive }
        append(UInt32(truncatingIfNeeded: marks.count))
        for field in marks {
            append(field.name.spelling)
            append(UInt32(field.isSensitive ? 1 : 0))
        }
    }
}

extension ByteReader {
    fileprivate mutating func readKey(_ expected: HTTPCacheKey?) -> HTTPCacheKey? {
        if let expected {
            return skipText(expected.partition) && skipText(expected.url) ? expected : nil
        }
        guard let partition = readText(), let url = readText() else { return nil }
        return HTTPCacheKey(partition: partition, url: url)
    }

    fileprivate mutating func readStored() -> DiskCacheEntry.Stored? {
        guard let id = readText(), DiskCacheNames.isID(id), let code = readUInt32(),
            let status = HTTPStatus(code: Int(code)), let requestDate = readDate(),
            let responseDate = readDate(), let variant = readText(),
            let selectingFields = readTexts(), let headers = readHeaders(),
            let hasTrailers = readUInt32()
        else { return nil }
        var trailers: HTTPHeaders?
        if hasTrailers != 0 {
            trailers = readHeaders()
            guard trailers != nil else { return nil }
        }
        guard let length = readUInt64(), let bodyLength = Int64(exactly: length),
            let isInline = readUInt32()
        else { return nil }
        var body: ArraySlice<UInt8>?
        if isInline != 0 {
            guard bodyLength <= DiskCacheEntry.inlineLimit else { return nil }
            body = readBytes(Int(bodyLength))
            guard body != nil else { return nil }
        }
        let response = HTTPStoredResponse(
            id: id, status: status, headers: headers, selectingFields: selectingFields,
            variant: variant, requestDate: requestDate, responseDate: responseDate,
            bodyLength: bodyLength, trailers: trailers)
        return DiskCacheEntry.Stored(response: response, inlineBody: body)
    }

    private mutating func readDate() -> Date? {
        readUInt64().map { Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0)) }
    }

    private mutating func readTexts() -> [String]? {
        guard let count = readUInt32() else { return nil }
        var texts: [String] = []
        for _ in 0..<count {
            guard let text = readText() else { return nil }
            texts.append(text)
        }
        return texts
    }

    private mutating func readHeaders() -> HTTPHeaders? {
        guard let length = readUInt32(), let lines = readBytes(Int(length)),
            var headers = HTTPHeaders(lines: lines.span, limit: .max), let marks = readUInt32()
        else { return nil }
        for _ in 0..<marks {
            guard let name = readText(), let isSensitive = readUInt32() else { return nil }
            headers.setSensitive(HTTPHeaderName(name), isSensitive != 0)
        }
        return headers
    }
}
