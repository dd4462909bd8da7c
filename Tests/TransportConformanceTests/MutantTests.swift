import HTTPTesting
import Testing

/// Tests of the suite itself, on transports that are known to be wrong.
@Suite(.timeLimit(.minutes(10))) struct MutantTests {
    @Test(arguments: Mutant.all)
    func `a transport with a flaw is noticed by the family that looks for it`(
        mutant: Mutant
    ) async throws {
        let suite = TransportConformance("a transport that \(mutant)") { mutant.makeSession() }
        for example in suite.cases where example.family == mutant.family {
            do {
                try await suite.run(example, within: .seconds(10))
            } catch let failure as ConformanceFailure {
                print("MUTANT | \(mutant) | \(failure)")
                return
            }
        }
        Issue.record("no case of the family \(mutant.family.rawValue) has noticed")
    }

    @Test func `every family is tried`() {
        let tried = Set(Mutant.all.map(\.family))
        #expect(tried == Set(TransportConformance.Family.allCases))
    }
}
