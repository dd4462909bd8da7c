import Foundation
import HTTPCore
import HTTPFormats
import Testing

/// Tests with Foundation's objects in a tree of `Any`, as `JSONSerialization` creates them. A cast
/// treats a number of 0 or 1 as a `Bool`.
@Suite struct FoundationScalarTests {
    struct Value: @unchecked Sendable, CustomTestStringConvertible {  // immutable objects
        var object: Any
        /// The value in JSON; `nil` if JSON has no form for it.
        var json: String?
        /// The value in a query and in a form; `nil` if it is left out.
        var query: String?
        var testDescription: String

        init(_ object: Any, _ json: String?, query: String?) {
            (self.object, self.json, self.query) = (object, json, query)
            testDescription = "\(type(of: object)) \(object)"
        }
    }

    static let values: [Value] = [
        Value(NSNumber(value: 0), "0", query: "0"), Value(NSNumber(value: 1), "1", query: "1"),
        Value(NSNumber(value: -1), "-1", query: "-1"), Value(NSNumber(value: 2), "2", query: "2"),
        Value(NSNumber(value: true), "true", query: "1"),
        Value(NSNumber(value: false), "false", query: "0"),
        Value(true, "true", query: "1"), Value(1, "1", query: "1"),
        Value(NSNumber(value: Int8(1)), "1", query: "1"),
        Value(NSNumber(value: UInt8(0)), "0", query: "0"),
        Value(NSNumber(value: 1.0), "1", query: "1.0"),
        Value(NSNumber(value: 0.0), "0", query: "0.0"),
        Value(NSNumber(value: 0.1), "0.1", query: "0.1"),
        Value(NSNumber(value: Float(0.1)), "0.1", query: "0.1"),
        Value(NSNumber(value: 1e300), "1e+300", query: "1e+300"),
        Value(NSNumber(value: Int64.min), "-9223372036854775808", query: "-9223372036854775808"),
        Value(NSNumber(value: UInt64.max), "18446744073709551615", query: "18446744073709551615"),
        Value(NSNumber(value: Double.infinity), nil, query: "inf"),
        Value(NSNumber(value: Double.nan), nil, query: "nan"),
        Value(NSDecimalNumber(value: 1), "1", query: "1"),
        Value(
            NSDecimalNumber(string: "0.1234567890123456789012345678"),
            "0.1234567890123456789012345678", query: "0.1234567890123456789012345678"),
        Value(NSDecimalNumber.notANumber, nil, query: "NaN"),
        Value(NSNull(), "null", query: nil), Value(Int?.none as Any, "null", query: nil),
        Value(NSString("1"), "\"1\"", query: "1"),
    ]

    private func text(_ body: HTTPBody) -> String {
        String(decoding: body.bytes ?? Data(), as: UTF8.self)
    }

    @Test(arguments: values)
    func `JSON has each as what it is, wherever it stands`(value: Value) throws {
        let request = try HTTPRequest(.post, "https://h/")
        let trees: [[String: Any]] = [
            ["v": value.object], ["v": [value.object]], ["v": ["v": value.object]],
            ["v": NSArray(object: value.object)],
            ["v": NSDictionary(object: value.object, forKey: NSString("v"))],
        ]
        let forms = [
            #"{"v":*}"#, #"{"v":[*]}"#, #"{"v":{"v":*}}"#, #"{"v":[*]}"#, #"{"v":{"v":*}}"#,
        ]
        for (tree, form) in zip(trees, forms) {
            guard let json = value.json else {
                let error = #expect(throws: HTTPError.self) { try request.json(tree) }
                #expect(error?.code == .encodingFailed)
                continue
            }
            #expect(text(try request.json(tree).body) == form.replacing("*", with: json))
        }
    }

    @Test(arguments: values)
    func `queries, forms and templates have each as what it is`(value: Value) throws {
        let request = try HTTPRequest(.post, "https://h/")
        let pair = value.query.map { "v=\($0)" } ?? ""
        let query = request.query("v", value.object).url.query(percentEncoded: false) ?? ""
        #expect(query == pair)
        #expect(
            text(request.formURLEncoded(["v": value.object]).body)
                == pair.replacing("+", with: "%2B"))
        let list = request.query("v", [value.object]).url.query(percentEncoded: false) ?? ""
        #expect(list == (value.query.map { "v[]=\($0)" } ?? ""))
        let template = try HTTPRequest(
            template: URITemplate(strict: "https://h/{?v}"), variables: ["v": value.object])
        #expect(template.url.absoluteString.contains("v=") == (value.query != nil))
    }

    @Test func `what JSONSerialization reads is sent as it was`() throws {
        let json =
            #"{"a":0,"b":1,"c":true,"d":false,"e":null,"f":[0,null,{"g":1.5}],"#
            + #""h":18446744073709551615}"#
        let tree = try #require(
            JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(text(try HTTPRequest(.post, "https://h/").json(tree).body) == json)
        let form = try HTTPRequest(.post, "https://h/").formURLEncoded(tree)
        #expect(
            text(form.body).removingPercentEncoding
                == "a=0&b=1&c=1&d=0&f[]=0&f[][g]=1.5&h=18446744073709551615")
    }
}
