public import HTTPCore
import HTTPHashing
public import PortableFoundation

/// A secret key that signs messages with HMAC-SHA-256 (RFC 2104) and checks such signatures, as
/// most webhooks do.
///
/// ```swift
/// let key = try HMACSHA256(key: "whsec_…")
/// let isGenuine = key.isValid(hexadecimal: received, for: body)
/// ```
///
/// No description shows the key.
public struct HMACSHA256: Sendable {
    /// The hash functions after the padded key. A message continues copies of them.
    private let inner: SHA256
    private let outer: SHA256

    /// - Parameter key: The bytes of the key, such as the code of another message for schemes that
    ///   derive their keys. At most 64 bytes count as they are; a longer key is hashed.
    /// - Throws: `invalidRequest` for an empty key, with which every attacker could sign.
    public init(key: Data) throws(HTTPError) {
        guard !key.isEmpty else {
            throw HTTPError(
                .invalidRequest,
                "the key of HMAC-SHA-256 is empty: check the place that the secret is read from")
        }
        var block = key.count > Self.blockLength ? SHA256.hash(key) : Array(key)
        block += repeatElement(0, count: Self.blockLength - block.count)
        var inner = SHA256()
        inner.update(block.map { $0 ^ 0x36 })
        self.inner = inner
        var outer = SHA256()
        outer.update(block.map { $0 ^ 0x5c })
        self.outer = outer
    }

    /// Creates a key from the UTF-8 of a text.
    ///
    /// - Throws: The error of ``init(key:)-(Data)``.
    public init(key: String) throws(HTTPError) { try self.init(key: Data(key.utf8)) }

    private static var blockLength: Int { 64 }

    /// Returns the code of `message`: 32 bytes.
    public func code(for message: Data) -> Data {
        var inner = inner
        inner.update(message)
        var outer = outer
        outer.update(inner.finalize())
        return Data(outer.finalize())
    }

    /// Returns the code of `message` as 64 lower-case hexadecimal digits.
    public func hexadecimalCode(for message: Data) -> String { code(for: message).hexadecimal }

    /// Returns whether `code`, which was received, is that of `message`. Takes the same time
    /// wherever the codes differ. A shortened code is not valid.
    public func isValid(_ code: Data, for message: Data) -> Bool {
        self.code(for: message).isEqualInConstantTime(to: code)
    }

    /// Returns whether `text` is the code of `message` in hexadecimal digits of either case. See
    /// ``isValid(_:for:)``.
    public func isValid(hexadecimal text: String, for message: Data) -> Bool {
        Data(hexadecimal: text).map { isValid($0, for: message) } ?? false
    }
}

extension HMACSHA256: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "HMAC-SHA-256 <redacted>" }
    public var debugDescription: String { description }
    /// A mirror for `dump` that does not contain the key.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
