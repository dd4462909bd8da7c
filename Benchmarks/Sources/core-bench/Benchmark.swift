/// A measured piece of work.
struct Benchmark: Sendable {
    /// The unit of one pass of the work.
    enum Unit: Sendable {
        /// Printed as nanoseconds per operation.
        case operations(Int)
        /// Printed as MB/s.
        case bytes(Int)
    }

    let name: String
    let unit: Unit
    /// Does the work the given number of times. The returned sum keeps the compiler from removing
    /// it.
    let work: @Sendable (_ passes: Int) async throws -> Int

    /// - Parameter pass: Returns a number that depends on the work.
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

    /// Creates a benchmark of short work: the caller provides the loop, without an asynchronous
    /// call in each pass.
    init(_ name: String, _ unit: Unit, work: @escaping @Sendable (_ passes: Int) throws -> Int) {
        self.name = name
        self.unit = unit
        self.work = work
    }

    /// Creates a benchmark of one short operation.
    init(operation name: String, _ pass: @escaping @Sendable () throws -> Int) {
        self.init(name, .operations(1)) { passes in
            var sum = 0
            for _ in 0..<passes { sum &+= try pass() }
            return sum
        }
    }
}

/// Benchmarks that do the same work. The first is the reference of the ratios.
struct Comparison: Sendable {
    let name: String
    private let make: @Sendable () -> [Benchmark]

    /// - Parameter benchmarks: Created when needed, since their input may be large.
    init(name: String, benchmarks: @autoclosure @escaping @Sendable () -> [Benchmark]) {
        self.name = name
        make = benchmarks
    }

    var benchmarks: [Benchmark] { make() }
}
