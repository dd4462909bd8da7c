import FoundationEssentials
import HTTPCore
import HTTPFormats

extension FuzzTarget {
    static let json = Self("json") { bytes in
        _ = HTTPJSON.Number(bytes.text)
        let json: HTTPJSON
        do throws(HTTPJSON.ParseError) { json = try HTTPJSON(parsing: bytes) } catch {
            require((0...bytes.count).contains(error.offset), "\(error) of \(bytes.count)")
            return
        }
        let written = serialized(json)
        requireEqual(try? HTTPJSON(parsing: written), json, "JSON reads back differently")
        require(serialized(json) == written, "JSON is written in two ways")
        let sorted = serialized(json, sortingNames: true)
        let fromSorted = try? HTTPJSON(parsing: sorted)
        requireEqual(fromSorted, json, "sorted JSON reads back differently")
        require(fromSorted?.hashValue == json.hashValue, "equal JSON has two hash values")
        require(
            fromSorted.map { serialized($0, sortingNames: true) } == sorted,
            "sorted JSON is not sorted")
        if hasOnlyIntegers(json) {
            let value = json.anyValue
            requireEqual(try? HTTPJSON(any: value), json, "JSON changes as Any")
        }
        _ = ("\(json)", json.int, json.double, ProblemDetails(json))
    }

    private static func requireEqual(_ other: HTTPJSON?, _ json: HTTPJSON, _ law: String) {
        require(other == json, law)
    }

    private static func serialized(_ json: HTTPJSON, sortingNames: Bool = false) -> Data {
        do throws(HTTPError) { return try json.serialized(sortingNames: sortingNames) } catch {
            fatalError("broken: JSON that was read cannot be written: \(error)")
        }
    }

    private static func hasOnlyIntegers(_ json: HTTPJSON) -> Bool {
        switch json {
        case .null, .bool, .string: true
        case .number(let number): number.int64 != nil
        case .array(let elements): elements.allSatisfy(hasOnlyIntegers)
        case .object(let object): object.allSatisfy { hasOnlyIntegers($0.value) }
        }
    }
}
