#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One part of a multipart body: a head, and a body that is read before the next part is asked for.
public struct MultipartPart: Sendable {
    public var headers: HTTPHeaders
    /// One-shot. Once the next part has been asked for, what is unread of it is gone, and reading it
    /// throws `bodyAlreadyRead`.
    public var body: HTTPBody

    public init(headers: HTTPHeaders = [:], body: HTTPBody = .empty) {
        self.headers = headers
        self.body = body
    }

    /// The field's name in a form (RFC 7578 §4.2).
    public var name: String? { disposition("name") }

    /// As the server sent it: never a path to write to without looking at it.
    public var filename: String? { disposition("filename") }

    private func disposition(_ name: String) -> String? {
        guard let value = headers[.contentDisposition] else { return nil }
        return MessageParameters(value)[name]?.formUnescaped
    }
}

extension String {
    /// The reverse of what forms escape in names (HTML Standard §4.10.21.8).
    fileprivate var formUnescaped: String {
        let octets = Array(utf8)
        var text: [UInt8] = []
        var index = 0
        while index < octets.count {
            switch octets[index...].prefix(3) {
            case [0x25, 0x32, 0x32]: text.append(0x22)
            case [0x25, 0x30, 0x41]: text.append(0x0A)
            case [0x25, 0x30, 0x44]: text.append(0x0D)
            default:
                text.append(octets[index])
                index -= 2
            }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension HTTPBody {
    /// The parts of a multipart body, each as soon as its head has arrived. Reading throws
    /// `bodyIncomplete` when the body ends before its closing delimiter.
    ///
    /// - Parameters:
    ///   - boundary: as in the message's `Content-Type`, see ``HTTPResponse/parts``.
    ///   - limit: of one part's head, in octets; reading throws `elementTooLarge` beyond.
    public func parts(boundary: String, headLimit limit: Int = 64 << 10) -> Parts {
        Parts(body: self, parser: MultipartParser(boundary: boundary, headLimit: limit))
    }

    /// See ``HTTPBody/parts(boundary:headLimit:)``. Iterating reads the body: once, if it is a
    /// stream.
    public struct Parts: AsyncSequence, Sendable {
        fileprivate let body: HTTPBody
        fileprivate let parser: MultipartParser

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(reader: MultipartReader(body, parser))
        }

        public struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let reader: MultipartReader

            public mutating func next() async throws -> MultipartPart? {
                try await next(isolation: #isolation)
            }

            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws -> MultipartPart? {
                try await reader.nextPart()
            }
        }
    }
}

extension HTTPResponse {
    /// The parts of a multipart response, whatever its subtype.
    ///
    /// - Throws: `decodingFailed` when `Content-Type` is not multipart or has no boundary; the body
    ///   is left unread.
    public var parts: HTTPBody.Parts {
        get throws(HTTPError) {
            let contentType = MessageParameters(headers[.contentType] ?? "")
            guard contentType.essence.hasPrefix("multipart/"),
                let boundary = contentType["boundary"], !boundary.isEmpty
            else {
                throw HTTPError(
                    .decodingFailed,
                    "a body of type \(contentType.essence.logSafe) has no parts, or no boundary",
                    phase: .receiving, mayHaveReachedServer: true
                ).ending(url, response: head)
            }
            return body.parts(boundary: boundary)
        }
    }
}

/// Reads parts in order, for the iterator and for the bodies of the parts it gave out.
private actor MultipartReader {
    private var octets: HTTPBody.AsyncIterator?
    private var parser: MultipartParser
    /// The part that is being read; the bodies of earlier ones are over.
    private var number = 0
    private var isInPart = false
    private var isReading = false
    private var failure: (any Error)?

    init(_ body: HTTPBody, _ parser: MultipartParser) {
        self.octets = body.makeAsyncIterator()
        self.parser = parser
    }

    func nextPart() async throws -> MultipartPart? {
        number += 1
        isInPart = false
        while let event = try await nextEvent() {
            guard case .head(let headers) = event else { continue }
            isInPart = true
            return MultipartPart(
                headers: headers, body: HTTPBody(PartOctets(reader: self, number: number)))
        }
        return nil
    }

    func nextOctets(ofPart number: Int) async throws -> Data? {
        guard number == self.number else { throw HTTPError.bodyAlreadyRead }
        guard isInPart else { return nil }
        if case .octets(let octets) = try await nextEvent() { return octets }
        isInPart = false
        return nil
    }

    private func nextEvent() async throws -> MultipartParser.Event? {
        if let failure { throw failure }
        guard !isReading else {
            throw HTTPError(.bodyAlreadyRead, "two tasks read the parts of one body")
        }
        isReading = true
        defer { isReading = false }
        do {
            while true {
                if let event = try parser.next() { return event }
                // Taken out while it waits: an actor's own property cannot be changed meanwhile.
                guard var iterator = octets.take() else { return nil }
                guard let piece = try await iterator.next() else {
                    try parser.finish()
                    return nil
                }
                octets = iterator
                parser.append(piece)
            }
        } catch {
            octets = nil
            failure = error
            throw error
        }
    }
}

/// The octets of one part. Giving them up costs nothing: the next part passes over them.
private struct PartOctets: AsyncSequence, Sendable {
    let reader: MultipartReader
    let number: Int

    struct AsyncIterator: AsyncIteratorProtocol {
        let part: PartOctets

        mutating func next() async throws -> Data? {
            try await part.reader.nextOctets(ofPart: part.number)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(part: self) }
}
