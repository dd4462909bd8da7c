package import HTTPCore
package import PortableFoundation

/// The exchange of a coded body, as the decoding sees it.
package protocol CodedExchange: Sendable {
    /// Records the length of the content so far, in bytes.
    func decoded(_ count: Int64)
    /// Records the end of the content, which is not before the end of the coded body.
    func ended(_ end: HTTPBodyEnd)
    /// Returns the error of a time limit that has passed, also if the coded body has come in time.
    func overdue() -> HTTPError?
    /// Returns an error of the decoding with what is known of the exchange.
    func completed(_ error: HTTPError) -> HTTPError
}

/// A body that decodes another one as it is read, in the task of its reader.
///
/// The content is complete only if each coding has ended where the coded body does. The bytes
/// before an error are delivered first.
package final class DecodedBodySource: HTTPBodySource {
    private let base: any HTTPBodySource
    private let exchange: (any CodedExchange)?
    private let state: Locked<Decoding>

    /// - Parameters:
    ///   - base: The coded body.
    ///   - codings: The codings in the order in which they were applied; at least one.
    package init(
        _ base: any HTTPBodySource, codings: [HTTPContentCoding], limits: ContentDecoder.Limits,
        exchange: (any CodedExchange)? = nil
    ) {
        self.base = base
        self.exchange = exchange
        state = Locked(Decoding(codings, limits: limits))
    }

    package func next() async throws -> Data? {
        while true {
            try checkCancellation()
            let (step, count) = state.withLock { ($0.read(), $0.count) }
            switch step {
            case .piece(let piece):
                exchange?.decoded(count)
                return piece
            case .failed(let error): throw failed(error)
            case .waiting: guard try await takeNext() else { return nil }
            }
        }
    }

    /// Reads all bytes, for a body that is delivered with its head.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes.
    ///   - prefixLimit: The maximum number of bytes in an error.
    ///   - report: Is told the number of bytes so far, after each piece of the coded body.
    /// - Throws: `bodyTooLarge` if the content is longer than `limit`, or the error that ended the
    ///   body, each with the first bytes of the content. The rest of the coded body is abandoned.
    package func collect(
        upTo limit: Int, prefixLimit: Int, report: (Int64) -> Void = { _ in }
    ) async throws -> Data {
        do {
            while true {
                try checkCancellation()
                if let error = exchange?.overdue() { throw failed(error) }
                let (step, count) = state.withLock { ($0.gather(upTo: limit), $0.count) }
                exchange?.decoded(count)
                switch step {
                case .piece: report(count)
                case .failed(let error): throw failed(error)
                case .waiting:
                    guard try await takeNext() else { return state.withLock { $0.takeGathered() } }
                }
            }
        } catch let error as HTTPError {
            throw error.keeping(
                bodyPrefix: state.withLock { $0.beginning(upTo: prefixLimit) })
        }
    }

    /// Takes the next piece of the coded body. Returns `false` after the last.
    private func takeNext() async throws -> Bool {
        let piece: Data?
        do {
            piece = try await base.next()
        } catch {
            exchange?.ended(error is CancellationError ? .abandoned : .failed(error))
            throw error
        }
        if let piece {
            state.withLock { $0.take(piece) }
            return true
        }
        if let error = state.withLock({ $0.finish() }) { throw failed(error) }
        exchange?.ended(.complete(trailers: base.trailers))
        return false
    }

    private func checkCancellation() throws {
        guard Task.isCancelled else { return }
        abandon()
        throw CancellationError()
    }

    private func failed(_ error: HTTPError) -> HTTPError {
        let error = exchange?.completed(error) ?? error
        exchange?.ended(.failed(error))
        base.abandon()
        return error
    }

    package func abandon() {
        exchange?.ended(.abandoned)
        base.abandon()
    }

    package func discard() async {
        exchange?.ended(.abandoned)
        await base.discard()
    }

    package var trailers: HTTPHeaders? { base.trailers }
}

/// The decoding of a body: its decoder, and the memory that it fills.
///
/// Its methods return errors, since the optimizer of Swift 6.3 fails on closures that throw a typed
/// error into a lock of a type without copies.
private struct Decoding: ~Copyable {
    enum Step {
        case piece(Data)
        case failed(HTTPError)
        /// More of the coded body is needed.
        case waiting
    }

    /// The length of a piece, in bytes: below the size from which the system maps each block.
    private static let pieceSize = 64 << 10

    private var decoder: ContentDecoder
    private var block = OutputBlock()
    /// The error that follows the bytes before it.
    private var failure: HTTPError?
    /// The number of bytes of the coded body so far, as a first guess at the length of the content.
    private var taken = 0
    /// A better guess, with room to find the end: the length that the content seems to announce.
    private var announced: Int?
    /// The coding, if there is only one.
    private let coding: HTTPContentCoding?

    init(_ codings: [HTTPContentCoding], limits: ContentDecoder.Limits) {
        coding = codings.count == 1 ? codings[0] : nil
        decoder = ContentDecoder(codings, limits: limits)
    }

    var count: Int64 { decoder.count }

    mutating func take(_ piece: Data) {
        announced = taken > 0 ? nil : coding?.announcedLength(in: piece).map { $0 + 1 }
        taken += piece.count
        decoder.take(piece)
    }

    mutating func read() -> Step {
        block.reserve(Self.pieceSize)
        while failure == nil, block.count < block.capacity {
            guard fill() else { break }
        }
        if block.count > 0 { return .piece(block.take()) }
        return failure.map(Step.failed) ?? .waiting
    }

    /// Decodes some of what there is, after what was decoded before. The piece is empty: what was
    /// decoded is kept.
    mutating func gather(upTo limit: Int) -> Step {
        // One byte more shows that there are too many.
        let most = limit == .max ? limit : limit + 1
        if block.count == block.capacity {
            block.reserve(min(most, max(2 * block.capacity, announced ?? 4 * taken, 4 << 10)))
        }
        let hasMore = fill()
        if let failure { return .failed(failure) }
        if block.count > limit { return .failed(.bodyTooLarge(limit: limit)) }
        return hasMore ? .piece(Data()) : .waiting
    }

    /// Decodes into the room that is left. Returns `false` if that takes more input, or has failed.
    private mutating func fill() -> Bool {
        do throws(HTTPError) {
            let count = unsafe try decoder.decode(into: block.space)
            block.count += count
            return count > 0
        } catch {
            failure = error
            return false
        }
    }

    mutating func finish() -> HTTPError? {
        do throws(HTTPError) {
            try decoder.finish()
            return nil
        } catch {
            return error
        }
    }

    mutating func takeGathered() -> Data { block.takeAll() }

    func beginning(upTo limit: Int) -> Data { block.beginning(upTo: limit) }
}
