// A client with a cache for programs in other languages, such as the original engine of the public
// HTTP cache tests. See README.md.

import HTTPCore
import HTTPTransportCurl

let sessions = CachedSessions(CurlTransport())
let output = OutputLines()

// One task for each line. The program ends with its input, when all responses are written.
await withTaskGroup { group in
    for await line in InputLines() {
        group.addTask { [sessions, output] in
            output.write(await CacheClientReply(to: line, over: sessions).line)
        }
    }
}
