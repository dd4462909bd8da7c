package import HTTPCore

extension URITemplate {
    /// Returns the URI reference that this template expands to. A variable that is not in
    /// `variables` is undefined. An expression that cannot be expanded is copied as it is.
    ///
    /// - Complexity: Linear in the lengths of the template and the values.
    package func expand(_ variables: [String: Value]) -> String {
        var text = ""
        for part in parts { Self.append(part, variables, to: &text) }
        return text
    }

    /// Returns the same text as `expand(_:)`, in which each value is a part of the segment of the
    /// path that it was written into.
    ///
    /// - Throws: `invalidRequest` naming a variable whose value makes a segment `.` or `..`, or
    ///   leaves it empty. A variable of the operator `/` may be undefined, since it brings its
    ///   slash; one of `+` may be empty, since it may be any part of a URL.
    package func expand(inPlace variables: [String: Value]) throws(HTTPError) -> String {
        var text = ""
        var values: [RoutePath.Value] = []
        for part in parts {
            let start = text.utf8.count
            Self.append(part, variables, to: &text)
            guard case .expression(let expression) = part else { continue }
            let end = text.utf8.count
            let name = expression.variables.first?.name
            switch expression.operator {
            case .simple: values.append(RoutePath.Value(start..<end, name: name))
            case .pathSegment where start < end:
                values.append(RoutePath.Value(start + 1..<end, name: name))
            case .reserved, .label, .pathParameter, .pathSegment:
                values.append(RoutePath.Value(start..<end, isRequired: false, name: name))
            case .fragment, .query, .continuation: break
            }
        }
        try RoutePath.check(values, in: text)
        return text
    }

    /// Returns the expansion with values of any type, as RFC 6570 defines it: `{id}` may be empty
    /// or `..`. For a request, use ``/HTTPCore/HTTPRequest/init(_:template:variables:)``, which
    /// keeps each value in its place.
    public func expand(describing variables: [String: Any?]) -> String {
        expand(variables.mapValues { Value(describing: $0) })
    }

    /// Returns the same text as `expand(_:)`, but throws instead of copying an expression.
    ///
    /// - Throws: `invalidRequest` if the template is malformed, or if a list or an associative
    ///   array has a prefix modifier (RFC 6570 §2.4.1). The message names the variable, but not its
    ///   value.
    package func expand(strictly variables: [String: Value]) throws(HTTPError) -> String {
        _ = try URITemplate(strict: text)
        for case .expression(let expression) in parts {
            if let name = Self.misusedVariable(expression, variables) {
                throw HTTPError(
                    .invalidRequest,
                    "the variable \(name.logSafe) of a URI template has a prefix but is not a "
                        + "string")
            }
        }
        return expand(variables)
    }

    private static func misusedVariable(
        _ expression: Expression, _ variables: [String: Value]
    ) -> String? {
        expression.variables.first { variable in
            guard variable.prefix != nil, let value = variables[variable.name],
                !value.isUndefined
            else { return false }
            if case .string = value { return false }
            return true
        }?.name
    }

    private static func append(
        _ part: Part, _ variables: [String: Value], to text: inout String
    ) {
        switch part {
        case .literal(let literal): text += literal
        case .expression(let expression):
            if misusedVariable(expression, variables) == nil {
                append(expression, variables, to: &text)
            } else {
                text += expression.source
            }
        }
    }

    /// Appends the expansion of an expression (RFC 6570 §3.2.1).
    private static func append(
        _ expression: Expression, _ variables: [String: Value], to text: inout String
    ) {
        let kind = expression.operator
        var isFirst = true
        for variable in expression.variables {
            guard let value = variables[variable.name], !value.isUndefined else { continue }
            text += isFirst ? kind.first : kind.separator
            isFirst = false
            switch value {
            case .undefined: break
            case .string(let string):
                let string = variable.prefix.map { string.prefix($0, for: kind) } ?? string
                appendName(of: variable, kind, isValueEmpty: string.isEmpty, to: &text)
                appendEncoded(string, kind, to: &text)
            case .list(let elements):
                if !variable.isExploded {
                    appendName(
                        of: variable, kind,
                        isValueEmpty: elements.allSatisfy(\.isEmpty)
                            && elements.count == 1, to: &text)
                }
                for (index, element) in elements.enumerated() {
                    if index > 0 { text += variable.isExploded ? kind.separator : "," }
                    if variable.isExploded {
                        appendName(of: variable, kind, isValueEmpty: element.isEmpty, to: &text)
                    }
                    appendEncoded(element, kind, to: &text)
                }
            case .associative(let pairs):
                if !variable.isExploded {
                    appendName(of: variable, kind, isValueEmpty: false, to: &text)
                }
                for (index, pair) in pairs.enumerated() {
                    if index > 0 { text += variable.isExploded ? kind.separator : "," }
                    appendEncoded(pair.name, kind, to: &text)
                    if !variable.isExploded {
                        text += ","
                    } else if kind != .pathParameter || !pair.value.isEmpty {
                        text += "="
                    }
                    appendEncoded(pair.value, kind, to: &text)
                }
            }
        }
    }

    /// Appends the name and what follows it, for the operators that write names.
    private static func appendName(
        of variable: Variable, _ kind: Operator, isValueEmpty: Bool, to text: inout String
    ) {
        guard kind.isNamed else { return }
        text += variable.name
        if !isValueEmpty || kind != .pathParameter { text += "=" }
    }

    private static func appendEncoded(_ value: String, _ kind: Operator, to text: inout String) {
        text.appendPercentEncoded(
            value, allowed: kind.allowed, keepingTriplets: kind.allowsReserved)
    }
}

extension String {
    /// Returns the first `count` characters (code points) of a value. Where percent-encoded
    /// triplets are kept, a triplet counts as one character, because it must not be split
    /// (RFC 6570 §2.4.1).
    fileprivate func prefix(_ count: Int, for kind: URITemplate.Operator) -> String {
        guard kind.allowsReserved else {
            return String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
        }
        var rest = unicodeScalars[...]
        var result = ""
        for _ in 0..<count {
            guard let scalar = rest.first else { break }
            let bytes = rest.prefix(3).compactMap { $0.isASCII ? UInt8($0.value) : nil }
            let length = bytes.count == 3 && bytes.hasTriplet(at: 0) ? 3 : 1
            if length == 3 {
                result.unicodeScalars.append(contentsOf: rest.prefix(3))
            } else {
                result.unicodeScalars.append(scalar)
            }
            rest = rest.dropFirst(length)
        }
        return result
    }
}
