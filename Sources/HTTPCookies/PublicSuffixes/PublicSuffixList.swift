import HTTPCore
import PortableFoundation

/// The Public Suffix List (https://publicsuffix.org): the domains under which different parties
/// register names, such as `com`, `co.uk` and `github.io`.
///
/// Both sections of the list count: the one of registries and the one of private owners. The rules
/// are one text, sorted by the labels from the right. A lookup finds a domain in it by bisection.
/// The text that is part of this package needs no work before the first lookup.
///
/// Hosts must be in the form of an ``/HTTPCore/HTTPOrigin``: in lower case, with A-labels. One dot
/// at the end is ignored. An IP address is not a domain; the caller must not pass one.
package struct PublicSuffixList: Sendable {
    private let text: String

    /// The list of this package. See `PublicSuffixTable`.
    package static let embedded = PublicSuffixList(packed: PublicSuffixTable.rules)

    /// The newer one of the system's list and ``embedded``; read once per process.
    ///
    /// The system's list is a file that Debian's package `publicsuffix` installs. A file that
    /// cannot be read, or is not such a list, is ignored.
    package static let current =
        PublicSuffixListFile(path: "/usr/share/publicsuffix/public_suffix_list.dat")
        .list(newerThan: PublicSuffixTable.date) ?? embedded

    private init(packed text: String) { self.text = text }

    /// Creates a list from rules in the list's notation, such as `co.uk`, `*.ck` and `!www.ck`.
    ///
    /// - Returns: `nil` if a rule is malformed.
    package init?(rules: [String]) {
        guard let text = PackedRules.text(of: rules) else { return nil }
        self.text = text
    }

    /// Returns the public suffix of a domain and one more label: the shortest name that can be
    /// registered. Returns `nil` if the domain is a public suffix, or has an empty label.
    package func registrableDomain(of domain: String) -> String? {
        let labels = Self.labels(of: Self.withoutLastDot(domain))
        let count = count(ofSuffixIn: labels)
        guard labels.allSatisfy({ !$0.isEmpty }), count < labels.count else { return nil }
        return Self.joined(labels.suffix(count + 1))
    }

    // MARK: Matching

    /// Returns the number of labels of the public suffix.
    private func count(ofSuffixIn labels: [Substring.UTF8View]) -> Int {
        var key: [UInt8] = []
        var longest = 1
        var isBelowWildcard = false
        for (index, label) in labels.reversed().enumerated() {
            if index > 0 { key.append(UInt8(ascii: ".")) }
            key += label
            if isBelowWildcard { longest = index + 1 }
            isBelowWildcard = false
            switch kind(of: key) {
            case .suffix: longest = index + 1
            case .wildcard: isBelowWildcard = true
            case .both: (longest, isBelowWildcard) = (index + 1, true)
            case .exception: return index
            case nil: break
            }
        }
        return min(longest, labels.count)
    }

    private func kind(of key: [UInt8]) -> PackedRules.Kind? {
        unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            PackedRules.kind(of: key, in: unsafe Span(_unsafeElements: bytes))
        } ?? PackedRules.kind(of: key, in: Array(text.utf8).span)
    }

    private static func withoutLastDot(_ domain: String) -> Substring {
        domain.utf8.last == UInt8(ascii: ".") ? domain.dropLast() : domain[...]
    }

    private static func labels(of name: Substring) -> [Substring.UTF8View] {
        name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    }

    private static func joined(_ labels: ArraySlice<Substring.UTF8View>) -> String {
        labels.map { String(Substring($0)) }.joined(separator: ".")
    }
}
