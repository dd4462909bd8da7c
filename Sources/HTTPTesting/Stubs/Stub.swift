public import HTTPCore
public import HTTPFormats

/// Which requests to answer, and how: what a ``StubSession`` goes by.
///
/// All matchers must match. The answers are given in turn, one per request, the last one again and
/// again, unless ``limited(to:)`` says how often the stub answers at all.
public struct Stub: Sendable, CustomStringConvertible {
    let matchers: [StubMatcher]
    let answers: [StubAnswer]
    private(set) var limit: Int?

    /// - Parameter answers: 200 without content if there are none.
    public init(_ matchers: StubMatcher..., answers: StubAnswer...) {
        self.init(matchers, answers)
    }

    /// - Parameters:
    ///   - url: a URL, or a path, or a template for either; see ``StubMatcher/template(_:)``.
    ///   - answers: 200 without content if there are none.
    public init(
        _ method: HTTPMethod, _ url: URITemplate, _ matchers: StubMatcher...,
        answers: StubAnswer...
    ) {
        self.init([.method(method), .template(url)] + matchers, answers)
    }

    /// As above, answered by a closure, see ``StubAnswer/dynamic(_:)``.
    public init(
        _ method: HTTPMethod, _ url: URITemplate, _ matchers: StubMatcher...,
        answer: @escaping @Sendable (StubbedRequest) async throws -> HTTPResponse
    ) {
        self.init([.method(method), .template(url)] + matchers, [.dynamic(answer)])
    }

    private init(_ matchers: [StubMatcher], _ answers: [StubAnswer]) {
        self.matchers = matchers
        self.answers = answers.isEmpty ? [.status(.ok)] : answers
    }

    /// The same stub, which answers `count` requests and leaves further ones to the stubs after it.
    public func limited(to count: Int) -> Self {
        var stub = self
        stub.limit = max(0, count)
        return stub
    }

    /// What it asks of a request: `GET https://api.example.com/users/{id}`.
    public var description: String {
        matchers.isEmpty ? "any request" : matchers.map(\.description).joined(separator: " ")
    }

    /// How many requests it is there for.
    var expectedUses: Int { limit ?? answers.count }

    /// The answer to the request after `uses` others; `nil` beyond the limit.
    func answer(after uses: Int) -> StubAnswer? {
        if let limit, uses >= limit { return nil }
        return answers[min(uses, answers.count - 1)]
    }

    enum Verdict {
        case match([String: URITemplate.Value])
        case mismatch([Difference], matched: Int)
    }

    func judge(_ asked: StubbedRequest) -> Verdict {
        var variables: [String: URITemplate.Value] = [:]
        var differences: [Difference] = []
        var matched = 0
        for matcher in matchers {
            switch matcher.judge(asked) {
            case .match(let found):
                matched += 1
                variables.merge(found) { first, _ in first }
            case .mismatch(let found): differences += found
            }
        }
        return differences.isEmpty ? .match(variables) : .mismatch(differences, matched: matched)
    }
}
