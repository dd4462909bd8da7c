public import PortableFoundation
import PortableLibc

/// An `errno` of the operating system.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The value of `errno`.
    public let code: Int32

    /// Creates the error of a value of `errno`.
    public init(_ code: Int32) { self.code = code }

    public var description: String {
        var text = [CChar](repeating: 0, count: 128)

        guard unsafe strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }
}

extension SystemError: LocalizedError {
    public var errorDescription: String? { description }
}
