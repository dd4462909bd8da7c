import TestSupport
import Testing

@testable import HTTPValidation

@Suite struct RefreshLedgerTests {
    private func name(_ advice: RefreshLedger<String>.Advice) -> String {
        switch advice {
        case .refresh: "refresh"
        case .sendAgain(let fresh): "send again with \(fresh)"
        case .fail(let error): "fail with \(error)"
        }
    }

    // MARK: Who refreshes

    @Test(.rows("S0-35"))
    func `an attempt of this epoch, or of none that is known, is a reason to refresh`() {
        var ledger = RefreshLedger<String>()
        #expect(name(ledger.advice(forSentIn: 0)) == "refresh")
        ledger.ended(.success("a"))
        #expect(name(ledger.advice(forSentIn: ledger.epoch)) == "refresh")
        #expect(name(ledger.advice(forSentIn: nil)) == "refresh")
    }

    @Test(.rows("S0-35"))
    func `an attempt of an epoch before goes by how the last refresh ended`() {
        var ledger = RefreshLedger<String>()
        ledger.ended(.success("a"))
        #expect(name(ledger.advice(forSentIn: 0)) == "send again with a")
        ledger.ended(.failure(MyError()))
        #expect(name(ledger.advice(forSentIn: 0)) == "fail with MyError(number: 1)")
        #expect(name(ledger.advice(forSentIn: 1)) == "fail with MyError(number: 1)")
        #expect(name(ledger.advice(forSentIn: 2)) == "refresh")
        ledger.ended(.success("b"))
        #expect(name(ledger.advice(forSentIn: 1)) == "send again with b")
    }
}
