/// One piece of work that is measured.
struct Benchmark: Sendable {
    /// What one pass of the work is made of.
    enum Unit: Sendable {
        /// Printed as nanoseconds per operation.
        case operations(Int)
        /// Printed as MB/s.
        case bytes(Int)
    }

    let name: String
    let unit: Unit
    /// Does the work that many times; the sum it returns keeps the compiler from leaving it out.
    let work: @Sendable (_ passes: Int) async throws -> Int

    /// - Parameter pass: answers a number that depends on the work.
    init(
        _ name: String, _ unit: Unit, pass: @escaping @Sendable () async throws -> Int
    ) {
        self.name = name
        self.unit = unit
        self.work = { passes in
            var sum = 0
            for _ in 0..<passes { sum &+= try await pass() }
            return sum
        }
    }

    /// For short work: the loop is the caller's, without an asynchronous call in each pass.
    init(_ name: String, _ unit: Unit, work: @escaping @Sendable (_ passes: Int) throws -> Int) {
        self.name = name
        self.unit = unit
        self.work = work
    }

    /// One short operation.
    init(operation name: String, _ pass: @escaping @Sendable () throws -> Int) {
        self.init(name, .operations(1)) { passes in
            var sum = 0
            for _ in 0..<passes { sum &+= try pass() }
            return sum
        }
    }
}

/// Benchmarks that do the same work; the first is the reference of the ratios.
struct Comparison: Sendable {
    let name: String
    private let make: @Sendable () -> [Benchmark]

    /// - Parameter benchmarks: made when they are wanted, since their input may be large.
    init(name: String, benchmarks: @autoclosure @escaping @Sendable () -> [Benchmark]) {
        self.name = name
        make = benchmarks
    }

    var benchmarks: [Benchmark] { make() }
}
