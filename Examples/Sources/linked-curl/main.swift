// The minimal program for a GET. Scripts check the libraries that it loads, and that Foundation is
// not one of them.
import HTTPCore
import HTTPTransportCurl

guard CommandLine.arguments.count == 2 else {
    throw HTTPError(.invalidRequest, "usage: linked-curl URL")
}
let session = CurlTransport()
let response = try await session.response(for: CommandLine.arguments[1])
let bytes = try await response.data()
print("\(response.status), \(bytes.count) bytes")
