/// libcurl's own code with its general text, which holds nothing of a request.
public struct CurlError: Error, Hashable, Sendable, CustomStringConvertible {
    public let code: Int32

    public var description: String { "libcurl \(code): \(CurlEasyHandle.errorText(code))" }
}
