/// What happens, whatever the clients do about it.
struct Scenario {
    var clients = 10_000
    /// Of a client, from one call's end to the next call, on average; exponentially distributed.
    var pause = 14.0
    /// Requests per second that the origin can do.
    var capacity = 1000.0
    var lossBegins = 60.0
    var lossEnds = 120.0
    var length = 240.0
    /// Seconds that a request may wait before it is turned away at once.
    var queueLimit = 2.0
    /// Seconds that a client waits for an answer.
    var patience = 1.0
    var latency = 0.005
    /// Of a request's work, what turning it away costs.
    var refusalCost = 0.05
    var seed: UInt64 = 1

    func capacity(at instant: Double) -> Double {
        lossBegins..<lossEnds ~= instant ? capacity / 2 : capacity
    }
}

/// Numbers that a seed determines.
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
