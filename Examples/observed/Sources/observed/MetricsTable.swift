import Metrics
import Synchronization

/// A backend for metrics that keeps a count, a sum and the last value of each, and prints a table.
final class MetricsTable: MetricsFactory, CustomStringConvertible {
    private let rows = Mutex<[String: Row]>([:])

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        row(label, dimensions, .sum)
    }
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        row(label, dimensions, .last)
    }
    func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        row(label, dimensions, .last)
    }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        row(label, dimensions, .times)
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    private func row(_ label: String, _ dimensions: [(String, String)], _ kind: Row.Kind) -> Row {
        let pairs = dimensions.map { " \($0.0)=\($0.1)" }.joined()
        return rows.withLock { rows in
            let row = rows[label + pairs] ?? Row(kind)
            rows[label + pairs] = row
            return row
        }
    }

    var description: String {
        rows.withLock(\.self).sorted { $0.key < $1.key }
            .map { "metric \($0.key): \($0.value)" }.joined(separator: "\n")
    }

    /// One metric with its dimensions.
    private final class Row: CounterHandler, MeterHandler, RecorderHandler, TimerHandler,
        CustomStringConvertible
    {
        enum Kind { case sum, last, times }

        private let kind: Kind
        private let values = Mutex((count: 0, sum: 0.0, last: 0.0))

        init(_ kind: Kind) { self.kind = kind }

        private func add(_ value: Double) {
            values.withLock { $0 = ($0.count + 1, $0.sum + value, value) }
        }

        func increment(by amount: Int64) { add(Double(amount)) }
        func reset() { values.withLock { $0 = (0, 0, 0) } }
        func set(_ value: Int64) { add(Double(value)) }
        func set(_ value: Double) { add(value) }
        func increment(by amount: Double) { add(values.withLock(\.last) + amount) }
        func decrement(by amount: Double) { increment(by: -amount) }
        func record(_ value: Int64) { add(Double(value)) }
        func record(_ value: Double) { add(value) }
        func recordNanoseconds(_ duration: Int64) { add(Double(duration) / 1e6) }

        var description: String {
            let (count, sum, last) = values.withLock(\.self)
            return switch kind {
            case .sum: "\(Int(sum))"
            case .last: "\(Int(last))"
            case .times: "\(count) times, \((sum / Double(max(1, count))).tenths) ms on average"
            }
        }
    }
}

extension Double {
    /// The number with one digit after the point.
    var tenths: String { "\((self * 10).rounded() / 10)" }
}
