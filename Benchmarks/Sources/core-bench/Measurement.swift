/// A measurement of a comparison in interleaved rounds (A B C, A B C, …), so that a temporary
/// disturbance of the machine affects all benchmarks alike.
struct Measurement {
    struct Row {
        let benchmark: Benchmark
        /// The CPU seconds per pass, one value per round.
        var seconds: [Double] = []
        /// The ratios to the reference in the same round.
        var ratios: [Double] = []
    }

    private(set) var rows: [Row] = []

    /// - Parameter seconds: The approximate CPU time of a benchmark in each round.
    init(of comparison: Comparison, rounds: Int, seconds: Double) async throws {
        var passes: [Int] = []
        for benchmark in comparison.benchmarks {
            rows.append(Row(benchmark: benchmark))
            passes.append(try await Self.passes(of: benchmark, lasting: seconds))
        }
        for _ in 0..<rounds {
            var reference: Double?
            for index in rows.indices {
                let taken = try await Self.time(rows[index].benchmark, passes: passes[index])
                let perPass = taken / Double(passes[index])
                rows[index].seconds.append(perPass)
                let perUnit = perPass / rows[index].benchmark.unit.amount
                rows[index].ratios.append(perUnit / (reference ?? perUnit))
                reference = reference ?? perUnit
            }
        }
    }

    private static func time(_ benchmark: Benchmark, passes: Int) async throws -> Double {
        let start = ProcessorTime.now.seconds
        Sink.take(try await benchmark.work(passes))
        return ProcessorTime.now.seconds - start
    }

    /// Returns the number of passes that take `seconds`. This also warms up the benchmark.
    private static func passes(of benchmark: Benchmark, lasting seconds: Double) async throws -> Int
    {
        var passes = 1
        while true {
            let taken = try await time(benchmark, passes: passes)
            if taken >= seconds / 2 { return max(1, Int(Double(passes) * seconds / taken)) }
            passes *= taken < seconds / 20 ? 10 : 2
        }
    }
}

/// A consumer of results, so that the compiler cannot remove the work as unused.
enum Sink {
    @inline(never) static func take(_ value: Int) {}
}

extension Benchmark.Unit {
    var amount: Double {
        switch self {
        case .operations(let count), .bytes(let count): Double(count)
        }
    }
}

extension [Double] {
    var median: Double {
        let sorted = sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
