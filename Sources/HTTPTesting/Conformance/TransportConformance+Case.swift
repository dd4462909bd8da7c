import HTTPCore

extension TransportConformance {
    /// What a case is about, and what a transport that fails it has got wrong.
    public enum Family: String, Sendable, CaseIterable {
        case request, target, upload, status, fields, framing, coding, restraint, faults
        case cancellation, timeLimits = "time limits", connections, delivery, reports
    }

    /// One thing that holds of a transport.
    public struct Case: Sendable, Identifiable, CustomStringConvertible {
        public let family: Family
        /// A sentence, and what exclusions call the case by.
        public let name: String
        private let check: @Sendable (ConformanceExam) async throws -> Void

        init(
            _ family: Family, _ name: String,
            check: @escaping @Sendable (ConformanceExam) async throws -> Void
        ) {
            self.family = family
            self.name = name
            self.check = check
        }

        public var id: String { name }
        public var description: String { name }

        /// Runs the case on a session that nobody else uses.
        func run(on session: any HTTPSession, within limit: Duration) async throws {
            do {
                try await TimeLimited.run(within: limit) { [check] in
                    try await check(ConformanceExam(session: session))
                }
            } catch let missing as ConformanceExam.Unavailable {
                throw missing
            } catch let finding as ConformanceExam.Finding {
                throw ConformanceFailure(name, finding.reason)
            } catch is CancellationError where Task.isCancelled {
                throw CancellationError()
            } catch is TimeLimited.Overdue {
                throw ConformanceFailure(name, "it was not over after \(limit)")
            } catch {
                throw ConformanceFailure(name, "it ended with \(type(of: error)): \(error)")
            }
        }
    }
}
