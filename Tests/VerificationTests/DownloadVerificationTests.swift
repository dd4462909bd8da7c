import HTTPCore
import HTTPTesting
import TestSupport
import Testing
import PortableFoundation
import PortableLibc

extension VerificationTests {
    /// The size of the download. The promised figures need a program that is not slowed down.
    private struct Size {
        static var isFull: Bool { Counts.isFull && Counts.sanitizer.isEmpty }
        let bytes: Int
        /// The digest of the ``LoopbackPattern``, by `sha256sum`.
        let sha256: String
        let kills: Int
        /// The rate in bytes per second.
        let rate: Int
        /// A limit on the bytes that are served, as a multiple of the file's size.
        ///
        /// Bytes that have left the server and not reached the file are lost with the process. The
        /// small size has a higher limit, for a loaded machine.
        let bound: Double

        static var chosen: Size {
            if isFull {
                return Size(
                    bytes: 512 << 20,
                    sha256: "80c56806dc69e9e856fa5a0131301d2357b9e34cd2dbcab39d1bb9c679401f68",
                    kills: 20, rate: 50_000_000, bound: 1.2)
            }
            return Size(
                bytes: 16 << 20,
                sha256: "42d0f11043681c9109fdf8c8880470bbb7fdc00f450184b6f3161cb82c466c06",
                kills: 4, rate: 2_000_000, bound: 1.5)
        }
    }

    // MARK: A killed process

    @Test(.rows("S1-31"), arguments: Counts.isFull ? [1, 4] : [4])
    func `a download killed again and again arrives whole, and little is served twice`(
        ranges: Int
    ) async throws {
        let size = Size.chosen
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(script: LoopbackRoutes.standard)
        let arguments = [
            "download", server.url("/file/\(size.bytes)?rate=\(size.rate / ranges)"),
            folder.path + "/file", size.sha256, "\(ranges)",
        ]
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed)
        // Not near the end, where the program could finish before it is killed.
        let moments = (0..<size.kills).map { _ in
            Int.random(in: 0..<size.bytes / 10 * 9, using: &random)
        }
        for moment in moments.sorted() {
            let program = try ChildProcess("download-probe", arguments)
            try await server.waitUntil(within: .seconds(300)) { $0.served >= moment }
            let wasKilled = try await program.cutDown()
            #expect(wasKilled, "seed \(seed): the program ended before it was killed")
        }
        let values = try await ChildProcess("download-probe", arguments)
            .results(within: .seconds(600))
        #expect(values["bytes"] == "\(size.bytes)", "seed \(seed): \(values)")
        #expect(values["resumed_offset"] != "0", "seed \(seed): it began anew in the end")
        let served = server.log.reduce(0) { $0 + $1.bytesSent }
        let ratio = (Double(served) / Double(size.bytes) * 1000).rounded() / 1000
        // With several ranges, bytes that have arrived since the last note are lost as well.
        let bound = ranges == 1 ? size.bound : size.bound + 0.5
        let isMet = values["bytes"] == "\(size.bytes)" && ratio <= bound
        #expect(isMet, "seed \(seed): \(served) bytes served")
        figure(
            "\(size.bytes >> 20) MiB in \(ranges) ranges by a process killed \(size.kills) times"
                + Counts.sanitizer,
            "right digest, \(ratio) × the file served", "right digest, ≤ \(bound) ×", isMet)
    }

    // MARK: A limited rate

    @Test(.rows("S1-37"), .enabled(if: Counts.isFull))
    func `four ranges are about four times as fast as one, if each has a limited rate`()
        async throws
    {
        let bytes = 16 << 20
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(script: LoopbackRoutes.standard)
        var times: [Double] = []
        for ranges in [1, 4] {
            let start = ContinuousClock.now
            let values = try await ChildProcess(
                "download-probe",
                [
                    "download", server.url("/file/\(bytes)?rate=2000000"),
                    folder.path + "/\(ranges)", "-", "\(ranges)",
                ]
            ).results(within: .seconds(300))
            times.append((ContinuousClock.now - start) / .seconds(1))
            #expect(values["bytes"] == "\(bytes)", "\(values)")
        }
        let ratio = (times[0] / times[1] * 100).rounded() / 100
        figure(
            "16 MiB at 2 MB/s for each connection: one range / four ranges" + Counts.sanitizer,
            "\(ratio) ×", "≥ 3 ×", ratio >= 3)
        #expect(ratio >= 3, "\(times)")
    }

    // MARK: Flat memory

    @Test(
        .rows("S1-40"), .enabled(if: Counts.sanitizer.isEmpty, "a sanitizer's memory is not ours"))
    func `a large upload from a file keeps memory flat`() async throws {
        let bytes = Counts.isFull ? 2 << 30 : 128 << 20
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        #expect(ftruncate(file, off_t(bytes)) == 0)
        close(file)
        let server = try LoopbackServer(script: LoopbackRoutes.standard)
        let values = try await ChildProcess(
            "download-probe", ["upload", server.url("/count"), path]
        ).results(within: .seconds(300))
        #expect(values["bytes"] == "\(bytes)", "\(values)")
        let peak = try #require(Int(values["peak_resident_kib"] ?? ""))
        #expect(peak < 64 << 10, "\(peak) KiB")
        figure(
            "peak resident size, \(bytes >> 20) MiB uploaded from a file, download-probe",
            "\(peak / 1024) MiB", "< 64 MiB", peak < 64 << 10)
    }

    @Test(
        .rows("S1-37"), .enabled(if: Counts.sanitizer.isEmpty, "a sanitizer's memory is not ours"),
        arguments: Counts.isFull ? [1, 4] : [4])
    func `a large download keeps memory flat`(ranges: Int) async throws {
        let size = Size.chosen
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(script: LoopbackRoutes.standard)
        let values = try await ChildProcess(
            "download-probe",
            [
                "download", server.url("/file/\(size.bytes)"), folder.path + "/file", size.sha256,
                "\(ranges)",
            ]
        ).results(within: .seconds(300))
        #expect(values["bytes"] == "\(size.bytes)", "\(values)")
        let peak = try #require(Int(values["peak_resident_kib"] ?? ""))
        #expect(peak < 64 << 10, "\(peak) KiB")
        figure(
            "peak resident size, \(size.bytes >> 20) MiB downloaded to a file in \(ranges) ranges, "
                + "download-probe",
            "\(peak / 1024) MiB", "< 64 MiB", peak < 64 << 10)
    }
}

extension LoopbackSnapshot {
    fileprivate var served: Int { log.reduce(0) { $0 + $1.bytesSent } }
}

/// A folder that is removed with this object.
private final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/verification-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
