import ConformanceVectors
import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

/// The labels and indexes of the Encoding Standard, and the cases of encoding_rs.
@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct HTTPCharsetConformanceTests {
    private struct LabelCase: Decodable { var id, label, encoding: String }

    private struct TextCase: Decodable {
        var id, encoding, text: String
        var bytes_b64: Data
    }

    // MARK: Text

    @Test(.rows("S4-16"))
    func `labels name the standard's encodings`() throws {
        var report = ConformanceReport("charset/labels")
        for vector in try ConformanceData.cases("charset/labels.json", as: LabelCase.self) {
            let name = HTTPCharset(label: vector.label)?.name
            report.record(vector.id, name == vector.encoding, "\(vector.label): \(name ?? "none")")
        }
        report.finish()
    }

    @Test(.rows("S4-16"), arguments: ["single-byte", "malformed", "multi-byte"])
    func `text is decoded as the standard says`(file: String) throws {
        var report = ConformanceReport("charset/\(file)")
        for vector in try ConformanceData.cases("charset/\(file).json", as: TextCase.self) {
            guard HTTPCharset(label: vector.encoding) != nil else {
                report.record(vector.id, false, "no charset \(vector.encoding)")
                continue
            }
            let text = try HTTPCharset.decode(
                vector.bytes_b64, contentTypeCharset: vector.encoding)
            let isRight = text.unicodeScalars.elementsEqual(vector.text.unicodeScalars)
            report.record(vector.id, isRight, difference(text, vector.text))
        }
        report.finish()
    }

    /// The first scalars that differ.
    private func difference(_ text: String, _ expected: String) -> String {
        let pairs = zip(text.unicodeScalars, expected.unicodeScalars)
        let counts = "\(text.unicodeScalars.count) for \(expected.unicodeScalars.count) scalars"
        guard let (place, pair) = pairs.enumerated().first(where: { $1.0 != $1.1 }) else {
            return counts
        }
        let (found, wanted) = (pair.0.escaped(asASCII: true), pair.1.escaped(asASCII: true))
        return "\(found) for \(wanted) at \(place), \(counts)"
    }
}
