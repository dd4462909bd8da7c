public import HTTPCore

extension URITemplate {
    /// The URI reference that this template gives; a variable that is not among `variables` is
    /// undefined, and an expression that cannot be expanded is copied as it stands.
    ///
    /// - Complexity: linear in the template and the values.
    public func expand(_ variables: [String: Value]) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal
            case .expression(let expression):
                if Self.misusedVariable(expression, variables) == nil {
                    Self.append(expression, variables, to: &text)
                } else {
                    text += expression.source
                }
            }
        }
        return text
    }

    /// ``expand(_:)`` of values of any type, see ``Value/init(describing:)``.
    public func expand(describing variables: [String: Any?]) -> String {
        expand(variables.mapValues { Value(describing: $0) })
    }

    /// ``expand(_:)`` without recovery.
    ///
    /// - Throws: `invalidRequest` when the template is malformed, or a list or an associative array
    ///   has a prefix modifier (RFC 6570 §2.4.1). The message names the variable, no value.
    public func expand(strictly variables: [String: Value]) throws(HTTPError) -> String {
        _ = try URITemplate(strict: text)
        for case .expression(let expression) in parts {
            if let name = Self.misusedVariable(expression, variables) {
                throw HTTPError(
                    .invalidRequest,
                    "the variable \(name.logSafe) of a URI template has a prefix but is no string")
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

    /// RFC 6570 §3.2.1.
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

    /// For the operators that write names: the name and what follows it.
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
    /// The first `count` characters (code points) of a value; where triplets are kept, one of them
    /// is one character, since none may be split (RFC 6570 §2.4.1).
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
