import HTTPCore
import Testing
import PortableFoundation
import PortableLibc
@testable import HTTPTransportCurl

@Suite(.timeLimit(.minutes(5)))
struct ReadableFileTests {
    private let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"

    @Test(arguments: [0, 1, 4096, 65_536, 200_001])
    func `a file is read to its end, whatever its size`(size: Int) throws {
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        try Data(content).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try ReadableFile.contents(path) == content)
    }

    #if os(Linux)
        @Test func `a file of unknown size is read to its end`() throws {
            let content = try ReadableFile.contents("/proc/self/status")
            #expect(content.starts(with: Array("Name:".utf8)))
            #expect(content.last == UInt8(ascii: "\n"))
        }
    #endif

    @Test func `what is no regular file is refused`() {
        #expect(throws: SystemError(ENOENT)) { try ReadableFile.contents(path) }
        #expect(throws: SystemError(EINVAL)) { try ReadableFile.contents("/tmp") }
        #expect(throws: SystemError(EINVAL)) { try ReadableFile.contents("/dev/zero") }
        #expect(throws: SystemError(EINVAL)) { try ReadableFile.contents("/tmp\0/nowhere") }
    }
}
