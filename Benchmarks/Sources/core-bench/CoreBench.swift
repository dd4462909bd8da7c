import Dispatch

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The benchmarks of HTTPCore and HTTPFormats. `core-bench` runs all of them, `core-bench NAME …`
/// those comparisons whose names contain one of the arguments, and `core-bench --list` prints the
/// names.
///
/// `core-bench --count PASSES NAME` does only the work of one benchmark, for `Scripts/icount`.
@main
enum CoreBench {
    /// Runs synchronously and ends by returning: valgrind fails at the end of an asynchronous
    /// `main`.
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            do { try await run(arguments) } catch { print("failed: \(error)") }
            end.signal()
        }
        end.wait()
    }

    private static func run(_ arguments: [String]) async throws {
        switch arguments.first {
        case "--list":
            for comparison in comparisons {
                for benchmark in comparison.benchmarks {
                    print("\(comparison.name)/\(benchmark.name)")
                }
            }
        case "--count":
            guard arguments.count == 3, let passes = Int(arguments[1]) else {
                return print("usage: core-bench --count PASSES NAME")
            }
            for comparison in comparisons where arguments[2].hasPrefix("\(comparison.name)/") {
                for benchmark in comparison.benchmarks
                where "\(comparison.name)/\(benchmark.name)" == arguments[2] {
                    Sink.take(try await benchmark.work(passes))
                }
            }
        default:
            for comparison in comparisons
            where arguments.isEmpty || arguments.contains(where: comparison.name.contains) {
                let measurement = try await Measurement(of: comparison, rounds: 9, seconds: 0.1)
                print("\(Table(name: comparison.name, measurement: measurement))\n")
                fflush(nil)
            }
        }
    }

    private static var comparisons: [Comparison] {
        FieldBenchmarks.all + EncodingBenchmarks.all + MultipartBenchmarks.all
            + ReaderBenchmarks.all + TextBenchmarks.all + HashBenchmarks.all
    }
}
