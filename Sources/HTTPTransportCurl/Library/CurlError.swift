public import PortableFoundation

/// libcurl's own code with its general text, which holds nothing of a request.
public struct CurlError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A `CURLcode`, such as 7 for `CURLE_COULDNT_CONNECT`.
    public let code: Int32

    public var description: String { "libcurl \(code): \(CurlEasyHandle.errorText(code))" }
}

extension CurlError: LocalizedError {
    public var errorDescription: String? { description }
}
