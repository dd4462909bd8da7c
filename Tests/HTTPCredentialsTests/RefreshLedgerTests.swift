import HTTPCore
import HTTPCredentials
import Testing

@Suite struct RefreshLedgerTests {
    private struct Failure: Error {
        var number = 1
    }

    private func name(_ result: Result<String, any Error>?) -> String {
        switch result {
        case nil: "refresh"
        case .success(let value): "send again with \(value)"
        case .failure(let error): "fail with \(error)"
        }
    }

    // MARK: Reasons to refresh, S0-35

    @Test func `an attempt of this epoch, or of none that is known, is a reason to refresh`() {
        var ledger = RefreshLedger<String>()
        #expect(name(ledger.result(forSentIn: 0)) == "refresh")
        ledger.end(with: .success("a"))
        #expect(name(ledger.result(forSentIn: ledger.epoch)) == "refresh")
        #expect(name(ledger.result(forSentIn: nil)) == "refresh")
    }

    @Test func `an attempt of an epoch before goes by how the last refresh ended`() {
        var ledger = RefreshLedger<String>()
        ledger.end(with: .success("a"))
        #expect(name(ledger.result(forSentIn: 0)) == "send again with a")
        ledger.end(with: .failure(Failure()))
        #expect(name(ledger.result(forSentIn: 0)) == "fail with Failure(number: 1)")
        #expect(name(ledger.result(forSentIn: 1)) == "fail with Failure(number: 1)")
        #expect(name(ledger.result(forSentIn: 2)) == "refresh")
        ledger.end(with: .success("b"))
        #expect(name(ledger.result(forSentIn: 1)) == "send again with b")
    }
}
