// Sends requests through `HTTPClientKit` to the servers that `Scripts/real-servers` starts, and
// prints a figure for each promise. The arguments name the tasks; without any, all run.

import HTTPClientKit
import HTTPTransportCurl
import PortableLibc
import PortableFoundation

func flushOutput() { fflush(nil) }

func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
}

let names = CommandLine.arguments.dropFirst()
let tasks = names.compactMap { ProbeTask(rawValue: $0) }
guard let path = variable("HTTP_REAL_SERVERS"),
    let lines = try? String(contentsOfFile: path, encoding: .utf8), tasks.count == names.count
else {
    let known = ProbeTask.allCases.map(\.rawValue).joined(separator: " ")
    print("usage: Scripts/real-servers servers-probe [TASK ...], with the tasks \(known)")
    exit(2)
}
let library = try CurlTransport.library
print(library)
let report = Report(RealServers(lines), library, isFull: variable("HTTP_TEST_COUNTS") == "full")
let isGood = await ProbeTask.run(tasks.isEmpty ? ProbeTask.allCases : tasks, report)
exit(isGood ? 0 : 1)
