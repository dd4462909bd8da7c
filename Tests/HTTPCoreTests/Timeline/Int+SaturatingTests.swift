import HTTPCore
import Testing

@Suite struct IntSaturatingTests {
    @Test(
        arguments: [
            (1, 2, 3), (.max, 1, .max), (.max, .min, -1), (.min, -1, .min), (.min, .min, .min),
        ] as [(Int, Int, Int)])
    func `a sum stops at the limits`(a: Int, b: Int, sum: Int) {
        #expect(a.adding(clamped: b) == sum)
        #expect(b.adding(clamped: a) == sum)
    }

    @Test(
        arguments: [
            (3, 2, 1), (.min, 1, .min), (0, .min, .max), (-1, .min, .max), (.max, -1, .max),
            (.min, .min, 0),
        ] as [(Int, Int, Int)])
    func `a difference stops at the limits`(a: Int, b: Int, difference: Int) {
        #expect(a.subtracting(clamped: b) == difference)
    }

    @Test(
        arguments: [
            (1.9, 1), (-1.9, -1), (.nan, 0), (.infinity, .max), (-.infinity, .min),
            (9.3e18, .max), (-9.3e18, .min), (9_223_372_036_854_775_808, .max),
        ] as [(Double, Int)])
    func `a number becomes the nearest integer`(number: Double, integer: Int) {
        #expect(Int(clamping: number) == integer)
    }
}
