/// The events of a simulation, independent of the clients' strategy.
struct Scenario {
    var clients = 10_000
    /// The average seconds between a client's calls; exponentially distributed.
    var pause = 14.0
    /// The number of requests per second that the origin can process.
    var capacity = 1000.0
    var lossBegins = 60.0
    var lossEnds = 120.0
    var length = 240.0
    /// The seconds that a request may wait before it is refused at once.
    var queueLimit = 2.0
    /// The seconds that a client waits for a response.
    var patience = 1.0
    var latency = 0.005
    /// The cost of a refusal, as a share of a request's work.
    var refusalCost = 0.05
    var seed: UInt64 = 1

    func capacity(at instant: Double) -> Double {
        lossBegins..<lossEnds ~= instant ? capacity / 2 : capacity
    }
}

/// A generator whose numbers are determined by its seed.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
