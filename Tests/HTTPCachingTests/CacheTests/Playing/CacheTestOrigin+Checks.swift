extension CacheTestOrigin {
    private static let unreadableFields: Set<String> = ["set-cookie", "set-cookie2", "date"]

    /// Checks the requests that reached the origin, and that the client saw the origin's fields.
    func check(
        _ definitions: [CacheTestRequest], _ replies: [CacheTestReply]
    ) throws(CacheTestFailure) {
        let receipts = receipts
        var next = 0
        for (index, (definition, reply)) in zip(definitions, replies).enumerated() {
            // The origin does not see such a request.
            if definition.expectedType == .cached { continue }
            let receipt = next < receipts.count ? receipts[next] : nil
            next += 1
            try check(definition, reply, receipt, number: index + 1)
        }
    }

    private func check(
        _ definition: CacheTestRequest, _ reply: CacheTestReply, _ receipt: Receipt?, number: Int
    ) throws(CacheTestFailure) {
        let isSetup = definition.isSetup(.type)
        func received() throws(CacheTestFailure) -> Receipt {
            guard let receipt else {
                throw .client("request \(number) did not reach the origin")
            }
            return receipt
        }

        switch definition.expectedType {
        case .notCached:
            let seen = try received().number
            try CacheTestFailure.check(
                seen == number, isSetup: isSetup,
                "Response \(number) comes from cache (\(seen ?? 0) on server)")
        case .entityTagRevalidated: try checkPrecondition("if-none-match")
        case .lastModifiedRevalidated: try checkPrecondition("if-modified-since")
        case .cached, nil: break
        }
        func checkPrecondition(_ name: String) throws(CacheTestFailure) {
            try CacheTestFailure.check(
                receipt != nil, isSetup: isSetup, "request \(number) wasn't sent to server")
            try CacheTestFailure.check(
                receipt?.fields.contains(name) == true, isSetup: isSetup,
                "request \(number) doesn't have \(name) header")
        }

        for expectation in definition.expectedRequestHeaders {
            let fields = try received().fields
            let isSetup = definition.isSetup(.requestHeaders)
            if case .present(let name) = expectation {
                try CacheTestFailure.check(
                    fields.contains(name), isSetup: isSetup,
                    "Request \(number) \(name) header not present.")
            } else if case .value(let field) = expectation {
                let value = fields[field.name]
                try CacheTestFailure.check(
                    value == field.value.text, isSetup: isSetup,
                    "Request \(number) header \(field.name) is \"\(value ?? "undefined")\", "
                        + "not \"\(field.value.text)\"")
            }
        }
        for expectation in definition.missingRequestHeaders {
            let fields = try received().fields
            let isSetup = definition.isSetup(.requestHeadersMissing)
            if case .present(let name) = expectation {
                try CacheTestFailure.check(
                    !fields.contains(name), isSetup: isSetup,
                    "Request \(number) \(name) header present.")
            } else if case .value(let field) = expectation {
                try CacheTestFailure.check(
                    fields[field.name] != field.value.text, isSetup: isSetup,
                    "Request \(number) header \(field.name) is \"\(field.value.text)\"")
            }
        }

        for (name, value) in receipt?.checkedFields ?? []
        where !Self.unreadableFields.contains(name.lowercased()) {
            let seen = reply.fields[name]
            try CacheTestFailure.check(
                seen == value, isSetup: true,
                "Response \(number) header \(name) is \"\(seen ?? "null")\", not \"\(value)\"")
        }
        if let method = definition.expectedMethod {
            let seen = try received().method
            try CacheTestFailure.check(
                seen == method, isSetup: definition.isSetup(.method),
                "Request \(number) had method \(seen), not \(method)")
        }
    }
}
