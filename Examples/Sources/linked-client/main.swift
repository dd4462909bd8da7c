// The same as linked-curl, with the assembled client: its layers do not load Foundation either.
import HTTPClientKit

guard CommandLine.arguments.count == 2 else {
    throw HTTPError(.invalidRequest, "usage: linked-client URL")
}
let bytes = try await HTTPClient(retry: .standard).get(CommandLine.arguments[1]).data()
print("\(bytes.count) bytes")
