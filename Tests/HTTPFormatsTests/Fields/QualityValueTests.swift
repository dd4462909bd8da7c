import HTTPCore
import HTTPFormats
import Testing

@Suite struct QualityValueTests {
    @Test(
        arguments: [
            ("0", 0, "0"), ("1", 1000, "1"), ("0.", 0, "0"), ("1.", 1000, "1"), ("0.5", 500, "0.5"),
            ("0.125", 125, "0.125"), ("0.001", 1, "0.001"), ("0.100", 100, "0.1"),
            ("1.000", 1000, "1"), ("0.050", 50, "0.05"),
        ])
    func `a weight has up to three digits`(text: String, thousandths: Int, written: String) {
        let quality = QualityValue(text)
        #expect(quality?.thousandths == thousandths)
        #expect(quality?.description == written)
        #expect(quality == QualityValue(thousandths: thousandths))
    }

    @Test(arguments: [
        "", ".5", "2", "1.1", "1.001", "0.1234", "-0", "0,5", "0.x", "00", "1e0", "٠",
    ])
    func `anything else is none`(text: String) { #expect(QualityValue(text) == nil) }

    @Test func `weights compare`() {
        #expect(QualityValue.zero < .one)
        #expect(QualityValue(thousandths: 1001) == nil)
        #expect(QualityValue(thousandths: -1) == nil)
    }
}
