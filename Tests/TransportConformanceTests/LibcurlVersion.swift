#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The version of the libcurl that this process has loaded: both transports use it on Linux.
///
/// A difference between versions is listed with the version from which it holds.
struct LibcurlVersion: Comparable, CustomStringConvertible {
    private let numbers: [Int]

    init(_ description: String) {
        numbers = description.split(separator: ".").map { Int($0) ?? 0 }
    }

    var description: String { numbers.map { "\($0)" }.joined(separator: ".") }

    static func < (a: Self, b: Self) -> Bool { a.numbers.lexicographicallyPrecedes(b.numbers) }

    /// `nil` where no libcurl is loaded.
    static let current: Self? = {
        typealias Version = @convention(c) () -> UnsafePointer<CChar>?
        guard let symbol = unsafe dlsym(nil, "curl_version"),
            let text = unsafe unsafeBitCast(symbol, to: Version.self)()
        else { return nil }
        let words = unsafe String(cString: text).split(separator: " ")
        return words.first.map { Self(String($0.drop { !$0.isNumber })) }
    }()
}
