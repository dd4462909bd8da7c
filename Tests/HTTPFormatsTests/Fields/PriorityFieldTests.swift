import HTTPCore
import HTTPFormats
import TestSupport
import Testing

@Suite struct PriorityFieldTests {
    // MARK: Priority

    /// RFC 9218 §4.
    @Test(
        .rows("B-5"),
        arguments: [
            (["u=0"], "u=0"), (["u=5, i"], "u=5, i"), (["u=1", "i=?1"], "u=1, i"),
            (["i=?0"], "u=3"),
            ([""], "u=3"), ([], "u=3"), (["u=8, i"], "u=3, i"), (["u=-1"], "u=3"),
            (["u=1.0"], "u=3"),
            (["u=\"1\""], "u=3"), (["i=1"], "u=3"), (["u=(1)"], "u=3"), (["u=1, !"], "u=3"),
            (["u=1, x=2;y"], "u=1"), (["u=1;i"], "u=1"),
        ])
    func `what is no priority counts as not said`(lines: [String], written: String) {
        #expect(PriorityField(fieldLines: lines).description == written)
    }

    @Test(.rows("B-5"))
    func `an urgency lies in 0 to 7`() {
        #expect(PriorityField(urgency: -1).urgency == 0 && PriorityField(urgency: 8).urgency == 7)
        #expect(PriorityField() == PriorityField(urgency: 3, isIncremental: false))
    }
}
