import HTTPClientKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A sequence of bodies that are sent as one, each opened when its turn comes.
struct BodyParts: AsyncSequence, Sendable {
    typealias Element = Data

    let bodies: [HTTPBody]

    /// Returns one body. Its length is known if those of all parts are, and it can be sent again if
    /// all parts can.
    static func joined(_ bodies: [HTTPBody]) -> HTTPBody {
        if bodies.count == 1 { return bodies[0] }
        if bodies.allSatisfy({ $0.bytes != nil }) {
            return HTTPBody(bodies.reduce(into: Data()) { $0 += $1.bytes ?? Data() })
        }
        let lengths = bodies.compactMap(\.length)
        let length = lengths.count == bodies.count ? lengths.reduce(0, +) : nil
        let parts = BodyParts(bodies: bodies)
        if bodies.contains(where: { $0.replay == .once }) { return HTTPBody(parts, length: length) }
        return HTTPBody(length: length) { parts }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: bodies[...]) }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var rest: ArraySlice<HTTPBody>
        private var current: HTTPBody.AsyncIterator?

        fileprivate init(rest: ArraySlice<HTTPBody>) { self.rest = rest }

        mutating func next() async throws -> Data? {
            while true {
                if let piece = try await current?.next() { return piece }
                guard let body = rest.popFirst() else { return nil }
                current = body.makeAsyncIterator()
            }
        }
    }
}
