import HTTPCore
import Testing

@Suite struct DurationReadableTests {
    @Test(
        arguments: [
            (.zero, "0 s"), (.nanoseconds(1), "1 ns"), (.nanoseconds(999), "999 ns"),
            (.microseconds(1), "1 µs"), (.nanoseconds(12_345), "12.3 µs"),
            (.milliseconds(1), "1 ms"), (.milliseconds(250), "250 ms"),
            (.microseconds(12_399), "12.3 ms"), (.microseconds(999_999), "999.9 ms"),
            (.seconds(1), "1 s"), (.milliseconds(1500), "1.5 s"), (.milliseconds(1050), "1.05 s"),
            (.milliseconds(10_001), "10.001 s"), (.seconds(60), "60 s"), (.seconds(90), "90 s"),
            (.milliseconds(119_999), "119.999 s"), (.seconds(120), "2 min"),
            (.seconds(200), "3 min 20 s"), (.seconds(7199), "119 min 59 s"),
            (.seconds(7200), "2 h"), (.seconds(7500), "2 h 5 min"), (.seconds(86_400), "24 h"),
            (.seconds(604_800), "7 d"), (.seconds(604_800 + 7200), "7 d 2 h"),
            (.milliseconds(-1500), "-1.5 s"),
            (Duration(secondsComponent: 0, attosecondsComponent: -1), "0 s"),
            (.seconds(Int64.max), "106751991167300 d 15 h"),
            (.seconds(Int64.min), "-106751991167300 d 15 h"),
        ] as [(Duration, String)])
    func `a duration has the unit that fits`(duration: Duration, text: String) {
        #expect(duration.readable == text)
    }

    @Test(arguments: [(0.1, "100 ms"), (0.3, "300 ms"), (1.1, "1.1 s"), (2.3, "2.3 s")])
    func `a number of seconds reads as it was written`(seconds: Double, text: String) {
        #expect(Duration.seconds(seconds).readable == text)
    }
}
