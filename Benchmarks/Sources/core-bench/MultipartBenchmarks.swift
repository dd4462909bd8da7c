import CReference
import FoundationEssentials
import HTTPCore
import HTTPFormats

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A form with a file of 8 MiB and ten text fields, written to a file and read from one, compared
/// with copying the file.
enum MultipartBenchmarks {
    static var all: [Comparison] { [Comparison(name: "multipart", benchmarks: benchmarks)] }

    private static let count = 8 << 20
    private static let boundary = "benchmark-7f3a9c51"

    private static var benchmarks: [Benchmark] {
        let folder = ScratchFolder()
        do {
            // The bytes contain many line ends, but no beginning of a delimiter.
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
            try Data(bytes).write(to: URL(filePath: folder.file))
        } catch {
            print("the multipart benchmark is skipped: \(error)")
            return []
        }
        return [
            Benchmark("copying the file", .bytes(count)) { passes in
                var sum = 0
                for _ in 0..<passes { sum &+= Int(unsafe reference_copy(folder.file, folder.copy)) }
                return sum
            },
            Benchmark("form written to a file", .bytes(count)) {
                try await write(try body(ofFile: folder.file), to: folder.form)
            },
            Benchmark("form read from a file, part written", .bytes(count)) {
                if unsafe access(folder.form, R_OK) != 0 {
                    _ = try await write(try body(ofFile: folder.file), to: folder.form)
                }
                var sum = 0
                for try await part in try HTTPBody(file: folder.form).parts(boundary: boundary) {
                    if part.filename == nil {
                        sum &+= try await part.body.collect().count
                    } else {
                        sum &+= try await write(part.body, to: folder.copy)
                    }
                }
                return sum
            },
        ]
    }

    private static func body(ofFile path: String) throws -> HTTPBody {
        var form = try MultipartForm(boundary: boundary)
        for number in 0..<10 { form.add("value \(number)", name: "field\(number)") }
        try form.add(file: path, name: "file", filename: "file.bin")
        return form.body
    }

    private static func write(_ body: HTTPBody, to path: String) async throws -> Int {
        let target = unsafe creat(path, 0o600)
        defer { close(target) }
        var offset: Int64 = 0
        for try await piece in body {
            try piece.write(toDescriptor: target, at: offset)
            offset += Int64(piece.count)
        }
        return Int(offset)
    }
}

/// A folder for the files of a benchmark, removed after its last use.
private final class ScratchFolder: Sendable {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "core-bench-\(getpid())")

    init() {
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var file: String { path("file") }
    var form: String { path("form") }
    var copy: String { path("copy") }

    private func path(_ name: String) -> String { folder.appending(path: name).path }
}
