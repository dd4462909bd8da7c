import HTTPClientKit
import ProbeScenarios
import PortableLibc

#if os(Linux)
    let session = CurlTransport()
#else
    let session = URLSessionTransport()
#endif

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch (arguments.first, arguments.count) {
    case ("download", 4...5):
        var options = HTTPDownloadOptions(sha256: arguments[3] == "-" ? nil : arguments[3])
        if arguments.count == 5 { options.maxConcurrentRanges = Int(arguments[4]) ?? 0 }
        let download = try await session.download(
            arguments[1], to: arguments[2], options: options)
        print("bytes=\(download.length)")
        print("resumed_offset=\(download.resumedOffset ?? 0)")
    case ("upload", 3):
        let response = try await session.upload(
            file: arguments[2], with: HTTPRequest(.put, arguments[1]))
        print("bytes=\(try await response.text())")
    default:
        print("error=usage: download URL PATH SHA256|- [RANGES] | upload URL PATH")
        exit(2)
    }
    print("peak_resident_kib=\(ProcessFigures.peakResident)")
} catch {
    print("error=\(error)")
    exit(1)
}
