import HTTPCore
import HTTPTesting
import PortableFoundation

/// The origin of one test. It answers as the server of the original engine does, and keeps the
/// requests for the checks.
///
/// Its time is the clock of the test. A pause before a response advances that clock.
final class CacheTestOrigin: Sendable {
    /// A request that reached the origin.
    struct Receipt: Sendable {
        /// The number that the client gave the request, or `nil` without one.
        var number: Int?
        var method: String
        var fields: CacheTestFields
        /// The fields of the response that the client must see.
        var checkedFields: [(name: String, value: String)]
    }

    fileprivate struct State {
        var definitions: [CacheTestRequest]
        var receipts: [Receipt] = []
    }

    /// The identifier of the test in its URLs, and its default content.
    let token: String
    let clock: HTTPTestClock
    private let state: Locked<State>

    init(_ test: CacheTest, token: String, clock: HTTPTestClock) {
        self.token = token
        self.clock = clock
        self.state = Locked(State(definitions: test.requests))
    }

    /// The requests so far, in the order in which they arrived.
    var receipts: [Receipt] { state.withLock { $0.receipts } }

    /// Answers a request.
    ///
    /// - Parameter target: The path and the query.
    func answer(method: String, target: String, fields: CacheTestFields) -> CacheTestAnswer {
        let (definition, _) = state.withLock { $0.definition(for: fields) }
        guard let definition else {
            return CacheTestAnswer(
                CacheTestStatus(409, "Conflict"), CacheTestFields([("Content-Type", "text/plain")]),
                content: "no response is defined for this request\n", date: clock.date)
        }
        if definition.responsePause > 0 { clock.advance(by: .seconds(definition.responsePause)) }
        let date = clock.date
        let now = Int((date.timeIntervalSince1970 * 1000).rounded(.down))
        var answer = state.withLock { state in
            state.answer(
                method: method, target: target, fields: fields, now: now, content: token)
        }
        answer.date = date
        answer.isToHEAD = method == "HEAD"
        return answer
    }
}

extension CacheTestOrigin.State {
    /// Returns the definition of a request and its index: by the number that the client gave it, or
    /// else by the number of requests so far.
    func definition(for fields: CacheTestFields) -> (CacheTestRequest?, index: Int) {
        let number = fields.number("Req-Num") ?? 0
        let index = (number == 0 ? receipts.count + 1 : number) - 1
        return (definitions.indices.contains(index) ? definitions[index] : nil, index)
    }

    mutating func answer(
        method: String, target: String, fields: CacheTestFields, now: Int, content: String
    ) -> CacheTestAnswer {
        let index = definition(for: fields).index
        let definition = definitions[index]
        let number = fields.number("Req-Num")
        var response = CacheTestFields([
            ("Server-Base-Url", target),
            ("Server-Request-Count", "\(receipts.count + 1)"),
            ("Client-Request-Count", number.map { "\($0)" } ?? "NaN"),
            ("Server-Now", "\(now)"),
        ])
        var checked: [(name: String, value: String)] = []
        for position in definition.responseHeaders.indices {
            let field = definition.responseHeaders[position]
            let value = field.resolved(by: response, for: definition)
            // The next request compares its preconditions with the value that was sent.
            definitions[index].responseHeaders[position].value = .text(value)
            response.append(field.name, value)
            guard field.isChecked else { continue }
            let joined = response[field.name] ?? value
            if let place = checked.firstIndex(where: { $0.name == field.name }) {
                checked[place].value = joined
            } else {
                checked.append((field.name, joined))
            }
        }
        if !response.contains("Content-Type") { response.append("Content-Type", "text/plain") }
        let status = status(of: definition, at: index, fields)
        receipts.append(
            CacheTestOrigin.Receipt(
                number: number, method: method, fields: fields, checkedFields: checked))
        let numbers = receipts.map { receipt in receipt.number.map { "\($0)" } ?? "NaN" }
        response.append("Request-Numbers", numbers.joined(separator: " "))

        let body = definition.responseBody.flatMap { $0.isEmpty ? nil : $0 } ?? content
        var answer = CacheTestAnswer(status, response, content: body)
        answer.interimResponses = definition.interimResponses
        answer.disconnects = definition.disconnects
        return answer
    }

    /// Returns the status: 304 if a conditional request was expected and names what was sent
    /// before, 999 if it was expected and does not.
    private func status(
        of definition: CacheTestRequest, at index: Int, _ fields: CacheTestFields
    ) -> CacheTestStatus {
        guard definition.expectedType?.isRevalidated == true else {
            return definition.status ?? CacheTestStatus(200, "OK")
        }
        let sent = index > 0 ? definitions[index - 1].responseHeaders : []
        for (name, precondition) in [
            ("last-modified", "If-Modified-Since"), ("etag", "If-None-Match"),
        ] {
            let last = sent.last { $0.name.lowercased() == name }
            if case .text(let value) = last?.value, !value.isEmpty, fields[precondition] == value {
                return CacheTestStatus(304, "Not Modified")
            }
        }
        return CacheTestStatus(999, "304 Not Generated")
    }
}
