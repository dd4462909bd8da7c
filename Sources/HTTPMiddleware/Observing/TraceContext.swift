/// The position of an exchange in a distributed trace (W3C Trace Context).
public struct TraceContext: Hashable, Sendable {
    /// 16 bytes, not all zero.
    public let traceID: [UInt8]
    /// 8 bytes, not all zero.
    public let spanID: [UInt8]
    /// A Boolean value that indicates whether the caller may have recorded the trace.
    public var isSampled: Bool
    /// Vendor-specific data, passed on unchanged.
    public var state: String?

    /// Creates the context of a new trace.
    public init(isSampled: Bool = true) {
        traceID = Self.random(16)
        spanID = Self.random(8)
        self.isSampled = isSampled
    }

    /// Creates the context of a span that a tracer has begun, from the tracer's identifiers.
    ///
    /// Returns `nil` unless `traceID` has 16 bytes and `spanID` 8, in either case not all zero.
    public init?(traceID: [UInt8], spanID: [UInt8], isSampled: Bool, state: String? = nil) {
        guard traceID.count == 16, traceID.contains(where: { $0 != 0 }), spanID.count == 8,
            spanID.contains(where: { $0 != 0 })
        else { return nil }
        self.init(checkedTraceID: traceID, spanID: spanID, isSampled: isSampled, state: state)
    }

    private init(checkedTraceID traceID: [UInt8], spanID: [UInt8], isSampled: Bool, state: String?)
    {
        (self.traceID, self.spanID) = (traceID, spanID)
        (self.isSampled, self.state) = (isSampled, state)
    }

    /// The same trace with a new span, for a request that is sent from within this span.
    public var child: TraceContext {
        TraceContext(
            checkedTraceID: traceID, spanID: Self.random(8), isSampled: isSampled, state: state)
    }

    /// Creates a context from a `traceparent` field (§3.2), or `nil` if it is not valid. Of a
    /// version later than 00, only the parts in common with version 00 are read.
    ///
    /// - Parameters:
    ///   - text: The value of `traceparent`.
    ///   - state: the `tracestate` field that came with it.
    public init?(traceparent text: String, state: String? = nil) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0] != "ff", let version = Self.bytes(parts[0], count: 1),
            version != [0] || parts.count == 4,
            let trace = Self.bytes(parts[1], count: 16), trace.contains(where: { $0 != 0 }),
            let span = Self.bytes(parts[2], count: 8), span.contains(where: { $0 != 0 }),
            let flags = Self.bytes(parts[3], count: 1)
        else { return nil }
        self.init(checkedTraceID: trace, spanID: span, isSampled: flags[0] & 1 == 1, state: state)
    }

    /// The value of a `traceparent` field, in version 00.
    public var traceparent: String {
        "00-\(Self.text(traceID))-\(Self.text(spanID))-\(isSampled ? "01" : "00")"
    }

    private static func random(_ count: Int) -> [UInt8] {
        while true {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max) }
            if bytes.contains(where: { $0 != 0 }) { return bytes }
        }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Returns the `count` bytes that `text` contains as lowercase hexadecimal digits, or `nil`.
    private static func bytes(_ text: Substring, count: Int) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 2 * count,
            digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }
}
