public import HTTPCore
import HTTPHashing
public import PortableFoundation

/// A digest of bytes by a hash function (FIPS 180-4), with its algorithm.
///
/// Comparing two digests takes the same time wherever they differ.
public struct HTTPDigest: Hashable, Sendable {
    /// A hash function, by its key in the fields of RFC 9530. Those that are no longer secure, such
    /// as `md5` and `sha`, are not among them.
    public enum Algorithm: String, Hashable, Sendable, CaseIterable {
        /// SHA-256 (FIPS 180-4): 32 bytes.
        case sha256 = "sha-256"
        /// SHA-512 (FIPS 180-4): 64 bytes.
        case sha512 = "sha-512"

        /// The number of bytes of a digest.
        var length: Int {
            switch self {
            case .sha256: 32
            case .sha512: 64
            }
        }
    }

    /// The algorithm of the digest.
    public let algorithm: Algorithm
    /// The digest: 32 bytes for SHA-256, 64 for SHA-512.
    public let bytes: Data

    /// Computes the digest of `message`.
    public init(_ algorithm: Algorithm, of message: Data) {
        var computation = Computation(algorithm)
        computation.update(message)
        self = computation.digest
    }

    /// Creates a digest that was received or stored, or `nil` if its length is not that of the
    /// algorithm.
    public init?(_ algorithm: Algorithm, bytes: Data) {
        guard bytes.count == algorithm.length else { return nil }
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// Creates a digest from hexadecimal digits in either case, or `nil` if `text` is anything
    /// else.
    public init?(_ algorithm: Algorithm, hexadecimal text: String) {
        guard let bytes = Data(hexadecimal: text) else { return nil }
        self.init(algorithm, bytes: bytes)
    }

    fileprivate init(_ algorithm: Algorithm, computed bytes: [UInt8]) {
        self.algorithm = algorithm
        self.bytes = Data(bytes)
    }

    /// Reads a body and computes its digest, in pieces: a file is never in memory as a whole.
    ///
    /// A replayable body can be read again afterwards. Cancelling the task ends the reading.
    ///
    /// - Throws: The error that ended the body; `bodyAlreadyRead` for a one-shot body that has been
    ///   read.
    @concurrent public static func computed(
        _ algorithm: Algorithm, of body: HTTPBody
    ) async throws -> HTTPDigest {
        var computation = Computation(algorithm)
        for try await piece in body {
            computation.update(piece)
            try Task.checkCancellation()
        }
        return computation.digest
    }

    /// The bytes as text, with two lower-case hexadecimal digits for each.
    public var hexadecimal: String { bytes.hexadecimal }

    public static func == (a: Self, b: Self) -> Bool {
        a.algorithm == b.algorithm && a.bytes.isEqualInConstantTime(to: b.bytes)
    }
}

extension HTTPDigest: CustomStringConvertible {
    /// The algorithm and the hexadecimal digits.
    public var description: String { "\(algorithm.rawValue) \(hexadecimal)" }
}

extension HTTPDigest {
    /// A digest of a message that arrives in pieces. A copy continues independently.
    package struct Computation: Sendable {
        package let algorithm: Algorithm
        // One of them is set. Optionals rather than an enum, whose value would be copied out and
        // back for each piece.
        private var sha256: SHA256?
        private var sha512: SHA512?

        package init(_ algorithm: Algorithm) {
            self.algorithm = algorithm
            switch algorithm {
            case .sha256: sha256 = SHA256()
            case .sha512: sha512 = SHA512()
            }
        }

        package mutating func update(_ piece: Data) {
            sha256?.update(piece)
            sha512?.update(piece)
        }

        /// The digest of all pieces so far.
        package var digest: HTTPDigest {
            HTTPDigest(
                algorithm, computed: sha256?.finalize() ?? sha512?.finalize() ?? [])
        }
    }
}

// MARK: - Fields

extension HTTPHeaders {
    /// Returns the members of a field like `Content-Digest` whose algorithm is known, in order. The
    /// bytes may have a length that no digest has.
    ///
    /// - Returns: `nil` if the field cannot be read: it is no dictionary, or the member of a known
    ///   algorithm has no bytes.
    package func digestMembers(
        of name: HTTPHeaderName
    ) -> [(algorithm: HTTPDigest.Algorithm, bytes: Data)]? {
        guard contains(name) else { return [] }
        guard let members = try? StructuredField.Dictionary(parsing: self[values: name]) else {
            return nil
        }
        var known: [(algorithm: HTTPDigest.Algorithm, bytes: Data)] = []
        for (name, member) in members {
            guard let algorithm = HTTPDigest.Algorithm(rawValue: name) else { continue }
            guard let bytes = member.value?.bytes else { return nil }
            known.append((algorithm, bytes))
        }
        return known
    }

    func digests(of name: HTTPHeaderName) -> [HTTPDigest] {
        (digestMembers(of: name) ?? []).compactMap { HTTPDigest($0.algorithm, bytes: $0.bytes) }
    }

    mutating func setDigests(_ name: HTTPHeaderName, _ digests: [HTTPDigest]) {
        var members = StructuredField.Dictionary()
        for digest in digests {
            // Never thrown: the names of the algorithms are keys.
            try? members.set(
                digest.algorithm.rawValue, .item(.init(.byteSequence(digest.bytes))))
        }
        self[name] = members.fieldValue
    }

    func digestPreferences(of name: HTTPHeaderName) -> [HTTPDigest.Algorithm: Int] {
        guard contains(name),
            let members = try? StructuredField.Dictionary(parsing: self[values: name])
        else { return [:] }
        var preferences: [HTTPDigest.Algorithm: Int] = [:]
        for (name, member) in members {
            guard let algorithm = HTTPDigest.Algorithm(rawValue: name),
                let preference = member.value?.integerValue, (0...10).contains(preference)
            else { continue }
            preferences[algorithm] = Int(preference)
        }
        return preferences
    }

    mutating func setDigestPreferences(
        _ name: HTTPHeaderName, _ preferences: [HTTPDigest.Algorithm: Int]
    ) {
        var members = StructuredField.Dictionary()
        for algorithm in HTTPDigest.Algorithm.allCases {
            guard let preference = preferences[algorithm] else { continue }
            guard (0...10).contains(preference), let integer = StructuredField.Integer(preference)
            else { return refuse(name) }
            // Never thrown: the names of the algorithms are keys.
            try? members.set(algorithm.rawValue, .item(.init(.integer(integer))))
        }
        self[name] = members.fieldValue
    }
}

// MARK: - Bytes

extension Data {
    /// Creates the bytes that pairs of hexadecimal digits stand for, in either case, or `nil` if
    /// `text` is anything else.
    init?(hexadecimal text: String) {
        let digits = text.utf8.map(\.hexDigitValue)
        guard digits.count % 2 == 0 else { return nil }
        self.init(capacity: digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            append(high << 4 | low)
        }
    }
}

extension Collection<UInt8> {
    /// Compares all bytes, wherever the first difference is. Only the lengths, which are no secret,
    /// decide how long this takes.
    @inline(never)
    func isEqualInConstantTime(to other: some Collection<UInt8>) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for (a, b) in zip(self, other) { difference |= a ^ b }
        return difference == 0
    }
}
