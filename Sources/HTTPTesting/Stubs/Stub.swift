public import HTTPCore
public import HTTPFormats

/// A rule of a ``StubSession``: the requests to answer, and the answers to them.
///
/// All matchers must match. The answers are given in turn, one per request, and the last one is
/// repeated. Use ``limited(to:)`` to limit the number of requests that the stub answers.
public struct Stub: Sendable, CustomStringConvertible {
    let matchers: [StubMatcher]
    let answers: [StubAnswer]
    private(set) var limit: Int?

    /// - Parameters:
    ///   - matchers: The conditions, all of which a request must meet.
    ///   - answers: the answers, in turn; 200 without content if there are none.
    public init(_ matchers: StubMatcher..., answers: StubAnswer...) {
        self.init(matchers, answers)
    }

    /// - Parameters:
    ///   - method: The method.
    ///   - url: a URL, a path, or a template for either; see ``StubMatcher/template(_:)``.
    ///   - matchers: The conditions, all of which a request must meet.
    ///   - answers: the answers, in turn; 200 without content if there are none.
    public init(
        _ method: HTTPMethod, _ url: URITemplate, _ matchers: StubMatcher...,
        answers: StubAnswer...
    ) {
        self.init([.method(method), .template(url)] + matchers, answers)
    }

    /// Creates a stub whose answers come from a closure. See ``StubAnswer/dynamic(_:)``.
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

    /// Returns a copy that answers `count` requests and leaves further ones to the stubs after it.
    public func limited(to count: Int) -> Self {
        var stub = self
        stub.limit = max(0, count)
        return stub
    }

    /// The matchers as text: `GET https://api.example.com/users/{id}`.
    public var description: String {
        matchers.isEmpty
            ? "any request"
            : matchers.map { $0.description.escapingControls() }.joined(separator: " ")
    }

    /// The number of requests that the stub is expected to answer.
    var expectedUses: Int { limit ?? answers.count }

    /// Returns the answer to the request after `uses` others, or `nil` beyond the limit.
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
