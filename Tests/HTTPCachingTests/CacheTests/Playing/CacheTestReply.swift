/// The response that the client of a test got, before its content has been read.
struct CacheTestReply: Sendable {
    struct Interim: Sendable {
        var code: Int
        var fields: CacheTestFields
    }

    var status: Int
    var fields: CacheTestFields
    var interimResponses: [Interim]
}

// MARK: - Checks

extension CacheTestReply {
    /// Checks the head against the definition of the request.
    ///
    /// - Parameter number: The number of the request, from 1.
    func check(_ definition: CacheTestRequest, number: Int) throws(CacheTestFailure) {
        try checkForRetries()
        try checkType(definition, number: number)
        try checkStatus(definition, number: number)
        try checkExpectedFields(definition, number: number)
        try checkMissingFields(definition, number: number)
        try checkInterimResponses(definition)
    }

    /// A request that reached the origin twice makes its counts worthless.
    private func checkForRetries() throws(CacheTestFailure) {
        guard let numbers = fields["Request-Numbers"]?.split(separator: " ") else { return }
        let isUnique = Set(numbers.map { Int(leadingDigitsOf: $0) }).count == numbers.count
        try CacheTestFailure.check(isUnique, isSetup: true, "retry")
    }

    private func checkType(
        _ definition: CacheTestRequest, number: Int
    ) throws(CacheTestFailure) {
        let isSetup = definition.isSetup(.type)
        let count = fields.number("Server-Request-Count")
        switch definition.expectedType {
        case .cached:
            // A 304 of the cache itself need not have the origin's fields.
            if status == 304, count == nil { return }
            try CacheTestFailure.check(
                count.map { $0 < number } ?? false, isSetup: isSetup,
                "Response \(number) does not come from cache")
        case .notCached:
            try CacheTestFailure.check(
                count == number, isSetup: isSetup, "Response \(number) comes from cache")
        case .entityTagRevalidated, .lastModifiedRevalidated, nil: return
        }
    }

    private func checkStatus(
        _ definition: CacheTestRequest, number: Int
    ) throws(CacheTestFailure) {
        func expect(_ code: Int, isSetup: Bool) throws(CacheTestFailure) {
            try CacheTestFailure.check(
                status == code, isSetup: isSetup,
                "Response \(number) status is \(status), not \(code)")
        }
        switch definition.expectedStatus {
        case .anything: return
        case .exactly(let code): try expect(code, isSetup: definition.isSetup(.status))
        case .byDefault:
            if let code = definition.status?.code { return try expect(code, isSetup: true) }
            try CacheTestFailure.check(
                status != 999, isSetup: definition.isSetup(.type),
                "Request \(number) should have been conditional, but it was not.")
            try expect(200, isSetup: true)
        }
    }

    private func checkExpectedFields(
        _ definition: CacheTestRequest, number: Int
    ) throws(CacheTestFailure) {
        let isSetup = definition.isSetup(.responseHeaders)
        func value(_ name: String) throws(CacheTestFailure) -> String {
            guard let value = fields[name] else {
                throw CacheTestFailure(
                    isSetup: isSetup, "Response \(number) \(name) header not present.")
            }
            return value
        }
        for expectation in definition.expectedResponseHeaders {
            switch expectation {
            case .present(let name): _ = try value(name)
            case .same(let name, let other):
                let value = try value(name)
                let expected = fields[other]
                try CacheTestFailure.check(
                    value == expected, isSetup: isSetup,
                    "Response \(number) header \(name) is \(value), "
                        + "should match \(other) (\(expected ?? "null"))")
            case .above(let name, let limit):
                let value = try value(name)
                try CacheTestFailure.check(
                    Int(leadingDigitsOf: value).map { $0 > limit } ?? false, isSetup: isSetup,
                    "Response \(number) header \(name) is \(value), "
                        + "should be bigger than \(limit)")
            case .value(let field):
                let expected = field.resolved(by: fields, for: definition)
                let value = fields[field.name]
                try CacheTestFailure.check(
                    value == expected, isSetup: isSetup,
                    "Response \(number) header \(field.name) is \"\(value ?? "null")\", "
                        + "not \"\(expected)\"")
            }
        }
    }

    private func checkMissingFields(
        _ definition: CacheTestRequest, number: Int
    ) throws(CacheTestFailure) {
        for expectation in definition.missingResponseHeaders {
            // The original engine never sees the value of a field that must not have a certain
            // one, so that such an expectation always holds.
            guard case .present(let name) = expectation, let value = fields[name] else { continue }
            throw CacheTestFailure(
                isSetup: definition.isSetup(.responseHeadersMissing),
                "Response \(number) includes unexpected header \(name): \"\(value)\"")
        }
    }

    private func checkInterimResponses(
        _ definition: CacheTestRequest
    ) throws(CacheTestFailure) {
        guard let expected = definition.expectedInterimResponses else { return }
        let isSetup = definition.isSetup(.interimResponses)
        for (index, interim) in expected.enumerated() {
            try CacheTestFailure.check(
                index < interimResponses.count, isSetup: isSetup,
                "Interim response \(index + 1) not received")
            let received = interimResponses[index]
            try CacheTestFailure.check(
                received.code == interim.code, isSetup: isSetup,
                "Interim response \(index + 1) status is \(received.code), not \(interim.code)")
            for field in interim.fields {
                try CacheTestFailure.check(
                    received.fields.contains(field.name), isSetup: isSetup,
                    "Interim response \(index + 1) \(field.name) header not present.")
            }
        }
        try CacheTestFailure.check(
            interimResponses.count == expected.count, isSetup: isSetup,
            "Received \(interimResponses.count) interim response(s), expected \(expected.count)")
    }

    /// Checks the content.
    ///
    /// - Parameter token: The content of a response that has no other by its definition.
    func check(
        _ text: String, for definition: CacheTestRequest, token: String
    ) throws(CacheTestFailure) {
        guard definition.checksBody else { return }
        let expected: String
        var isSetup = true
        switch definition.expectedText {
        case .anything: return
        case .exactly(let text):
            expected = text
            isSetup = definition.isSetup(.responseText)
        case .byDefault:
            if let text = definition.responseBody {
                expected = text
            } else if CacheTestStatus(status, "").hasNoContent || definition.method == "HEAD" {
                return
            } else {
                expected = token
            }
        }
        try CacheTestFailure.check(
            text == expected, isSetup: isSetup, "Response body is \"\(text)\", not \"\(expected)\"")
    }
}
