import HTTPCore

extension TransportConformance {
    /// The subject of a case: the part of a transport that it tests.
    package enum Family: String, Sendable, CaseIterable {
        case request, target, upload, status, fields, framing, coding, restraint, faults
        case cancellation, timeLimits = "time limits", connections, delivery, reports
    }

    /// One requirement of a transport. The cases are in `Cases/`, a file for each subject;
    /// `allCases` lists the files.
    public struct Case: Sendable, Identifiable, CustomStringConvertible {
        package let family: Family
        /// The requirement as a sentence, which also identifies the case in exclusions.
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

        /// Creates a case with a server that responds "fine" if nothing is enqueued.
        init(
            _ family: Family, _ name: String,
            check: @escaping @Sendable (ConformanceExam, LoopbackServer) async throws -> Void
        ) {
            self.init(family, name) { exam in
                try await exam.serve { server in try await check(exam, server) }
            }
        }

        /// Creates a case that is run under both kinds of delivery, each with a server of its own.
        init(
            _ family: Family, _ name: String,
            check:
                @escaping @Sendable (ConformanceExam, LoopbackServer, HTTPDelivery) async throws ->
                Void
        ) {
            self.init(family, name) { exam in
                for delivery in Self.bothDeliveries {
                    try await exam.serve { server in try await check(exam, server, delivery) }
                }
            }
        }

        public var id: String { name }
        public var description: String { name }

        /// Runs the case on a session that is used for nothing else.
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
                throw ConformanceFailure(name, "it did not end within \(limit.readable)")
            } catch {
                throw ConformanceFailure(name, "it ended with \(type(of: error)): \(error)")
            }
        }
    }
}
