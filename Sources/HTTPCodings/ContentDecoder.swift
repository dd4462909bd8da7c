package import HTTPCore
package import PortableFoundation

/// The decoder of a content: one stage for each of its codings. It does no I/O.
///
/// Give it a piece of the coded content with ``take(_:)``, then call ``decode(into:)`` until that
/// returns 0; after the last piece, ``finish()``. Each stage decodes only what the next one asks
/// for, so memory does not depend on how much the content expands.
package struct ContentDecoder: ~Copyable {
    /// The largest number of codings that are decoded.
    static let maximumStages = 3
    /// The length from which expansion is limited, in bytes.
    private static let expansionFloor: Int64 = 16 << 20
    /// The limit on expansion where the caller names none.
    package static let usualExpansion = 200
    /// The most bytes that are put out in one step, so that cancelling need not wait for long.
    private static let stepSize = (8 << 20) + 1
    /// The size of a block between two stages, in bytes.
    private static let blockSize = 32 << 10

    package struct Limits: Sendable {
        /// A limit on the ratio of the length that any stage puts out to the length of the coded
        /// content so far, beyond ``ContentDecoder/expansionFloor``.
        var expansion: Int?
        /// A limit on the length of the content, in bytes.
        var length: Int64?

        package init(expansion: Int?, length: Int64?) {
            (self.expansion, self.length) = (expansion, length)
        }
    }

    /// The stages, with the coding that was applied last first.
    private let stages: [DecodingStage]
    private let limits: Limits
    /// The input of each stage that it has not decoded yet.
    private var inputs: [Data]
    /// The number of bytes of the coded content that were decoded.
    private var coded: Int64 = 0

    /// - Parameter codings: The codings in the order in which they were applied; at least one.
    package init(_ codings: [HTTPContentCoding], limits: Limits) {
        stages = codings.reversed().map(DecodingStage.init)
        inputs = stages.map { _ in Data() }
        self.limits = limits
    }

    /// The length of the content so far, in bytes.
    package var count: Int64 { stages[stages.count - 1].count }

    /// Adds the next bytes of the coded content.
    package mutating func take(_ piece: Data) {
        if inputs[0].isEmpty { inputs[0] = piece } else { inputs[0].append(piece) }
    }

    /// Writes the next bytes of the content to `output`. Returns their number, or 0 if that takes
    /// more of the coded content.
    ///
    /// - Throws: `contentDecodingFailed` for content that is damaged or goes on after its end, and
    ///   `bodyTooLarge` for content beyond a limit.
    package mutating func decode(
        into output: UnsafeMutableRawBufferPointer
    ) throws(HTTPError) -> Int {
        unsafe try pull(
            stages.count - 1,
            into: UnsafeMutableRawBufferPointer(rebasing: output.prefix(Self.stepSize)))
    }

    private mutating func pull(
        _ number: Int, into output: UnsafeMutableRawBufferPointer
    ) throws(HTTPError) -> Int {
        while true {
            let written = unsafe try step(number, into: output)
            if written > 0 || number == 0 { return written }
            var block = OutputBlock()
            block.reserve(Self.blockSize)
            block.count = unsafe try pull(number - 1, into: block.space)
            if block.count == 0 { return 0 }
            inputs[number] = block.take()
        }
    }

    private mutating func step(
        _ number: Int, into output: UnsafeMutableRawBufferPointer
    ) throws(HTTPError) -> Int {
        let stage = stages[number]
        guard !inputs[number].isEmpty || stage.hasMore else { return 0 }
        let input = inputs[number]
        let (written, left) = try unsafe input.withUnsafeBytes { bytes in
            Result { () throws(HTTPError) in
                var rest = unsafe bytes
                return (unsafe try stage.decode(&rest, into: output), rest.count)
            }
        }.get()
        inputs[number] = left == 0 ? Data() : input.suffix(left)
        if number == 0 { coded += Int64(input.count - left) }
        try check(stage)
        return written
    }

    private func check(_ stage: DecodingStage) throws(HTTPError) {
        if let limit = limits.length, count > limit {
            throw HTTPError(
                .bodyTooLarge, "the body is longer than the transport's limit of \(limit) bytes",
                phase: .receiving, mayHaveReachedServer: true)
        }
        guard stage.count > Self.expansionFloor, let limit = limits.expansion,
            stage.count / Int64(limit) > coded
        else { return }
        throw HTTPError(
            .bodyTooLarge,
            "the body becomes more than \(limit) times as long by decoding as it is on the wire",
            phase: .receiving, mayHaveReachedServer: true)
    }

    /// Checks that the content may end here.
    ///
    /// - Throws: `contentDecodingFailed` if a coding has not ended.
    package func finish() throws(HTTPError) {
        for stage in stages { try stage.finish() }
    }
}
