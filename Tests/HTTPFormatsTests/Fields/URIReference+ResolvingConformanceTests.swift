import ConformanceVectors
import HTTPCore
import Testing
import PortableFoundation

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct URIReferenceResolvingConformanceTests {
    private struct Case: Decodable {
        var id: String
        var base: String
        var reference: String
        var expected: String
    }

    @Test(arguments: ["rfc3986", "cpython"])
    func `references resolve by RFC 3986`(file: String) throws {
        var report = ConformanceReport("url-resolution/\(file)")
        for test in try ConformanceData.cases("url-resolution/\(file).json", as: Case.self) {
            let text = try? URL(strictly: test.base).resolving(test.reference).absoluteString
            report.record(
                test.id, text == test.expected,
                "\(test.reference) at \(test.base): \(text ?? "refused"), not \(test.expected)")
        }
        report.finish()
    }

    private struct WHATWGCase: Decodable {
        var id: String
        var input: String
        var base: String?
        var href: String?
        var rfc3986: String
    }

    @Test func `references resolve as in browsers where both standards agree`() throws {
        let fragment = "a fragment holds no raw # (RFC 3986 §3.5)"
        var report = ConformanceReport(
            "url-resolution/whatwg (same)",
            differences: [
                "0053": fragment, "0384": fragment,
                "0056": "a path holds no raw brackets (RFC 3986 §3.3)",
            ])
        for test in try ConformanceData.cases("url-resolution/whatwg.json", as: WHATWGCase.self)
        where test.rfc3986 == "same" {
            let outcome = resolve(test)
            report.record(
                test.id, outcome == test.href,
                "\(test.input) at \(test.base ?? "none"): \(outcome ?? "refused"), "
                    + "not \(test.href ?? "none")")
        }
        report.finish()
    }

    /// Counts the cases that the standards decide differently, without a verdict.
    @Test func `where the standards differ, ours is RFC 3986`() throws {
        var counts: [String: (same: Int, all: Int)] = [:]
        for test in try ConformanceData.cases("url-resolution/whatwg.json", as: WHATWGCase.self)
        where test.rfc3986 != "same" {
            let isSame = resolve(test) == test.href
            counts[test.rfc3986, default: (0, 0)].all += 1
            if isSame { counts[test.rfc3986, default: (0, 0)].same += 1 }
            if test.rfc3986 == "input-not-rfc3986" {
                #expect(resolve(test) == nil, "\(test.id) is no RFC 3986 but was taken")
            }
        }
        for (kind, count) in counts.sorted(by: { $0.key < $1.key }) {
            print(
                "CONFORMANCE | url-resolution/whatwg (\(kind)) | \(count.all) | "
                    + "\(count.same) | \(count.all - count.same)")
        }
        let kinds: Set = ["differs", "input-not-rfc3986", "whatwg-rejects"]
        #expect(kinds.isSuperset(of: counts.keys))
    }

    /// Resolves by RFC 3986. Returns the spelling that browsers give: host in lower case, no
    /// default port, no empty path, no empty user information.
    private func resolve(_ test: WHATWGCase) -> String? {
        guard
            let base = try? URL(strictly: test.base ?? test.input),
            let url = try? base.resolving(test.base == nil ? base.absoluteString : test.input),
            var uri = try? URIReference(url.absoluteString), let scheme = uri.scheme
        else { return nil }
        let host = uri.authority?.host.lowercased() ?? ""
        uri.authority?.host = host[...]
        if uri.authority?.userInfo == "" { uri.authority?.userInfo = nil }
        if ["", scheme == "http" ? "80" : "443"].contains(uri.authority?.port) {
            uri.authority?.port = nil
        }
        if uri.path.isEmpty { uri.path = "/" }
        return uri.recomposed
    }
}
