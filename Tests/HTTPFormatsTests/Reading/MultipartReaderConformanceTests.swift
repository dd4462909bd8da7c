import ConformanceVectors
import HTTPCore
import Testing
import PortableFoundation

@Suite(
    .enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped), .timeLimit(.minutes(5)))
struct MultipartReaderConformanceTests {
    struct Case: Decodable {
        struct Part: Decodable {
            var headers: [[String]]
            var body: String
        }
        var id: String
        var boundary: String
        var body: String
        var parts: [Part]?
        var error: String?
    }

    @Test func `multipart bodies are read as others read them`() throws {
        var report = ConformanceReport(
            "multipart/parse",
            differences: [
                "okhttp/zero-parts":
                    "no error: browsers write a form without fields so (HTML §4.10.21.8), "
                    + "against RFC 2046 §5.1.1"
            ])
        for test in try ConformanceData.cases("multipart/parse.json", as: Case.self) {
            let expected = test.parts?.map { part in
                MultipartReaderTests.Part(
                    fields: part.headers.map { $0.joined(separator: ": ") }, text: part.body)
            }
            var isRight = true
            for pieces in Cuts.all(Data(test.body.utf8)) {
                switch MultipartReaderTests.parse(pieces, boundary: test.boundary, headLimit: 1000)
                {
                case .parts(let parts): isRight = isRight && parts == expected
                case .failure: isRight = isRight && test.error != nil
                }
            }
            report.record(test.id, isRight)
        }
        report.finish()
    }
}
