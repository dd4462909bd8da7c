import ConformanceVectors
import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite(
    .enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped), .timeLimit(.minutes(5)))
struct MultipartFormConformanceTests {
    struct Case: Decodable {
        struct Entry: Decodable {
            var name: String
            var value: String
            var filename: String?
            var content_type: String?
            var is_file: Bool?
        }
        var id: String
        var boundary: String
        var entries: [Entry]
        var expected_body: String
    }

    // MARK: The wire format

    @Test(.rows("S1-23"))
    func `forms are written as browsers write them`() async throws {
        var report = ConformanceReport("multipart/encode")
        for test in try ConformanceData.cases("multipart/encode.json", as: Case.self) {
            var form = try MultipartForm(boundary: test.boundary)
            for entry in test.entries {
                if entry.is_file == true {
                    try form.add(
                        Data(entry.value.utf8), name: entry.name, filename: entry.filename,
                        contentType: entry.content_type)
                } else {
                    form.add(entry.value, name: entry.name)
                }
            }
            let bytes = try await form.body.collect()
            let isRight =
                bytes == Data(test.expected_body.utf8) && form.length == Int64(bytes.count)
            report.record(test.id, isRight, String(decoding: bytes, as: UTF8.self))
        }
        report.finish()
    }

    struct FilenameCase: Decodable {
        var id: String
        var filename: String
        var expected: String
    }

    @Test(.rows("S1-23"))
    func `a file name is written as browsers write it`() async throws {
        var report = ConformanceReport("multipart/filename-parameter")
        let cases = try ConformanceData.cases(
            "multipart/filename-parameter.json", as: FilenameCase.self)
        for test in cases {
            var form = MultipartForm()
            try form.add(Data(), name: "n", filename: test.filename)
            let text = String(decoding: try await form.body.collect(), as: UTF8.self)
            report.record(test.id, text.contains("; name=\"n\"; \(test.expected)\r\n"), text)
        }
        report.finish()
    }
}
