// The least a program needs for a GET: Scripts check what it loads, and that Foundation is not there.
import HTTPCore
import HTTPTransportCurl

guard CommandLine.arguments.count == 2 else {
    throw HTTPError(.invalidRequest, "usage: linked-curl URL")
}
let session = CurlTransport()
let response = try await session.response(for: CommandLine.arguments[1])
let bytes = try await response.data()
print("\(response.status), \(bytes.count) bytes")
