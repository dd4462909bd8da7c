import HTTPCore

extension URITemplate {
    /// Returns the values with which this template gives `uri`, or `nil` if there are none.
    /// Variables that are absent from `uri` are left out.
    ///
    /// Matching is the reverse of ``expand(_:)``, byte by byte: `{?a,b}` does not match `?b=2&a=1`,
    /// and `{a}` does not match `%41`, which an expansion would write as `A`. If several values
    /// would give `uri`, the earlier expression gets as much as possible; of several ways to read a
    /// URI, only one is tried. An expression takes only characters that its operator writes, so
    /// that `/users/{id}` does not match `/users/1/posts`. Values are percent-decoded; for `+` and
    /// `#` only as far as that loses nothing.
    ///
    /// - Complexity: O(*n* · *m*) for a URI of *n* bytes and a template of *m* bytes. At worst
    ///   O(*n*²), if an exploded `{&list*}` may begin at many positions, for example after
    ///   `{+any}`.
    package func match(_ uri: String) -> [String: Value]? {
        guard failure == nil, let values = Matcher(uri).match(Self.steps(of: parts)),
            expand(values).utf8.elementsEqual(uri.utf8)
        else { return nil }
        return values
    }

    /// Returns the values with which this template gives `uri`, as text; `nil` if there are none.
    ///
    /// The members of a list, and the names and values of an exploded dictionary, are joined with
    /// commas. Variables that are absent from `uri` are left out.
    public func variables(in uri: String) -> [String: String]? {
        match(uri)?.compactMapValues(\.text)
    }

    /// A literal, one variable with the characters before and within it, or all variables of an
    /// expression that writes names.
    private enum Step {
        case literal([UInt8])
        case variable(Variable, Operator, first: UInt8?, separator: UInt8?, isAlone: Bool)
        case named([Variable], Operator)
    }

    /// Returns the steps of a template. `{/a,b}` becomes `{/a}{/b}`, and `{a,b}` becomes roughly
    /// `{a}`, a comma and `{b}`.
    private static func steps(of parts: [Part]) -> [Step] {
        parts.flatMap { part -> [Step] in
            switch part {
            case .literal(let literal): return [.literal(Array(literal.utf8))]
            case .expression(let expression) where expression.operator.isNamed:
                return [.named(expression.variables, expression.operator)]
            case .expression(let expression):
                let kind = expression.operator
                return expression.variables.enumerated().map { index, variable in
                    let separator = kind.separator.utf8.first
                    // A comma within a value belongs to a list, unless it separates variables.
                    let inner: UInt8? =
                        variable.isExploded
                        ? separator
                        : expression.variables.count == 1 || separator != UInt8(ascii: ",")
                            ? UInt8(ascii: ",") : nil
                    return .variable(
                        variable, kind, first: index == 0 ? kind.first.utf8.first : separator,
                        separator: inner, isAlone: expression.variables.count == 1)
                }
            }
        }
    }

    /// A matcher that finds, part by part, the positions at which a part can end, and then follows
    /// them back.
    private struct Matcher {
        let bytes: [UInt8]
        /// `true` at each position where a part may end; `false` within a percent-encoded triplet.
        private var isBoundary: [Bool]
        private let firstQuestionMark: Int?

        init(_ uri: String) {
            bytes = Array(uri.utf8)
            firstQuestionMark = bytes.firstIndex(of: UInt8(ascii: "?"))
            isBoundary = Array(repeating: true, count: bytes.count + 1)
            for index in bytes.indices where bytes.hasTriplet(at: index) {
                isBoundary[index + 1] = false
                isBoundary[index + 2] = false
            }
        }

        func match(_ steps: [Step]) -> [String: Value]? {
            guard bytes.count < Int32.max,
                bytes.indices.allSatisfy({
                    bytes[$0] != UInt8(ascii: "%") || bytes.hasTriplet(at: $0)
                })
            else { return nil }
            /// The position at which each step may start, by its end; -1 if it cannot end there.
            var starts: [[Int32]] = []
            var reach = Array(repeating: false, count: bytes.count + 1)
            reach[0] = true
            for step in steps {
                let ends = self.ends(of: step, from: reach)
                starts.append(ends)
                reach = ends.map { $0 >= 0 }
            }
            guard reach[bytes.count] else { return nil }
            var values: [String: Value] = [:]
            var prefixes: [String: String] = [:]
            var end = bytes.count
            for (step, starts) in zip(steps, starts).reversed() {
                let start = Int(starts[end])
                guard read(step, start..<end, into: &values, &prefixes) else { return nil }
                end = start
            }
            for (name, prefix) in prefixes where values[name] == nil {
                values[name] = .string(prefix)
            }
            return values
        }

        private func ends(of step: Step, from reach: [Bool]) -> [Int32] {
            var ends = [Int32](repeating: -1, count: reach.count)
            switch step {
            case .literal(let literal):
                for start in reach.indices
                where reach[start] && bytes[start...].starts(with: literal) {
                    ends[start + literal.count] = Int32(start)
                }
            case .variable(let variable, let kind, let first, let separator, let isAlone):
                // A dot may belong to the string, unless it separates variables.
                let mayHoldDot = kind != .label || isAlone || variable.isExploded
                func isValue(_ byte: UInt8) -> Bool {
                    if byte == UInt8(ascii: "."), !mayHoldDot { return false }
                    return kind.allowed.contains(byte) || byte == UInt8(ascii: "%")
                        || byte == separator
                        || (variable.isExploded && byte == UInt8(ascii: "="))
                }
                // The latest start from which this position can be reached, so that earlier parts
                // get as much as possible.
                var open: Int32 = -1
                for index in reach.indices {
                    if open >= 0, !isValue(bytes[index - 1]) { open = -1 }
                    if let first {
                        if index > 0, reach[index - 1], bytes[index - 1] == first {
                            open = Int32(index - 1)
                        }
                    } else if reach[index] {
                        open = Int32(index)
                    }
                    if reach[index] {
                        ends[index] = Int32(index)
                    } else if open >= 0, isBoundary[index] {
                        ends[index] = open
                    }
                }
            case .named(let variables, let kind):
                for start in reach.indices where reach[start] {
                    var isNamed = false
                    for (end, pair) in pairs(variables, kind, from: start) {
                        isNamed =
                            isNamed
                            || variables[pair.variable].name.utf8.elementsEqual(pair.name)
                        // An exploded variable takes no pairs of other names from an earlier
                        // expression.
                        if isNamed || !reach[end] { ends[end] = max(ends[end], Int32(start)) }
                    }
                }
                for start in reach.indices where reach[start] && ends[start] < 0 {
                    ends[start] = Int32(start)
                }
            }
            return ends
        }

        private struct Pair {
            var variable: Int
            var name: ArraySlice<UInt8>
            var value: ArraySlice<UInt8>
        }

        /// Returns the pairs that begin at `start`, each with its end, as many as `variables` can
        /// name.
        private func pairs(
            _ variables: [Variable], _ kind: Operator, from start: Int
        ) -> [(end: Int, pair: Pair)] {
            let stops: [UInt8] =
                kind == .pathParameter ? Array(";/?#".utf8) : Array("&#".utf8)
            var found: [(end: Int, pair: Pair)] = []
            var seen: Set<Int> = []
            var index = start
            var first = kind.first.utf8.first
            // A query begins at the first question mark.
            if kind == .query, start != firstQuestionMark { return [] }
            while index < bytes.count, bytes[index] == first {
                let end =
                    bytes[(index + 1)...].firstIndex(where: stops.contains) ?? bytes.count
                let text = bytes[(index + 1)..<end]
                let equals = text.firstIndex(of: UInt8(ascii: "="))
                let name = text[..<(equals ?? end)]
                guard !name.isEmpty,
                    let variable = variables.firstIndex(where: { $0.name.utf8.elementsEqual(name) })
                        ?? variables.firstIndex(where: \.isExploded),
                    variables[variable].isExploded || seen.insert(variable).inserted
                else { break }
                found.append(
                    (
                        end,
                        Pair(
                            variable: variable, name: name,
                            value: text[(equals.map { $0 + 1 } ?? end)...])
                    ))
                index = end
                first = kind.separator.utf8.first
            }
            return found
        }

        // MARK: Reading values

        private func read(
            _ step: Step, _ range: Range<Int>, into values: inout [String: Value],
            _ prefixes: inout [String: String]
        ) -> Bool {
            func put(_ value: Value, _ variable: Variable) -> Bool {
                if variable.prefix != nil {
                    guard case .string(let text) = value else { return false }
                    let other = prefixes[variable.name] ?? ""
                    prefixes[variable.name] = other.utf8.count > text.utf8.count ? other : text
                    return true
                }
                if let other = values[variable.name] { return other == value }
                values[variable.name] = value
                return true
            }
            switch step {
            case .literal: return true
            case .variable(let variable, let kind, let first, let separator, _):
                guard !range.isEmpty else { return true }
                let text = bytes[range].dropFirst(first == nil ? 0 : 1)
                // With + and # a comma may belong to the string.
                guard let separator, variable.isExploded || !kind.allowsReserved else {
                    return decode(text, kind).map { put(.string($0), variable) } ?? false
                }
                let pieces = text.split(separator: separator, omittingEmptySubsequences: false)
                if variable.isExploded,
                    pieces.allSatisfy({ $0.contains(UInt8(ascii: "=")) })
                {
                    var pairs: [Value.Pair] = []
                    for piece in pieces {
                        guard let equals = piece.firstIndex(of: UInt8(ascii: "=")),
                            let name = decode(piece[..<equals], kind),
                            let value = decode(piece[(equals + 1)...], kind)
                        else { return false }
                        pairs.append(Value.Pair(name, value))
                    }
                    return put(.associative(pairs), variable)
                }
                return value(pieces, kind, isList: variable.isExploded || pieces.count > 1)
                    .map { put($0, variable) } ?? false
            case .named(let variables, let kind):
                return readNamed(variables, kind, range, put)
            }
        }

        private func readNamed(
            _ variables: [Variable], _ kind: Operator, _ range: Range<Int>,
            _ put: (Value, Variable) -> Bool
        ) -> Bool {
            var lists: [Int: [String]] = [:]
            var associations: [Int: [Value.Pair]] = [:]
            for (end, pair) in pairs(variables, kind, from: range.lowerBound)
            where end <= range.upperBound && !range.isEmpty {
                let variable = variables[pair.variable]
                if variable.isExploded {
                    guard let name = decode(pair.name, kind), let value = decode(pair.value, kind)
                    else { return false }
                    if variable.name.utf8.elementsEqual(pair.name) {
                        lists[pair.variable, default: []].append(value)
                    } else {
                        associations[pair.variable, default: []].append(Value.Pair(name, value))
                    }
                    continue
                }
                let pieces = pair.value.split(
                    separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                guard let value = value(pieces, kind, isList: pieces.count > 1),
                    put(value, variable)
                else { return false }
            }
            // A variable is a list or an associative array, not both.
            return Set(lists.keys).isDisjoint(with: associations.keys)
                && lists.allSatisfy { put(.list($0.value), variables[$0.key]) }
                && associations.allSatisfy { put(.associative($0.value), variables[$0.key]) }
        }

        private func value(
            _ pieces: [ArraySlice<UInt8>], _ kind: Operator, isList: Bool
        ) -> Value? {
            let texts = pieces.compactMap { decode($0, kind) }
            guard texts.count == pieces.count else { return nil }
            return isList ? .list(texts) : texts.first.map(Value.string) ?? .string("")
        }

        /// Returns the decoded text, or `nil` if the bytes are not UTF-8.
        private func decode(_ text: ArraySlice<UInt8>, _ kind: Operator) -> String? {
            guard kind.allowsReserved else {
                return String(validating: text.percentDecoded(), as: UTF8.self)
            }
            // A triplet stays encoded if an expansion would not encode its character again.
            let decoded = text.percentDecoded {
                $0 != UInt8(ascii: "%") && !ByteSet.unreservedAndReserved.contains($0)
            }
            return String(validating: decoded, as: UTF8.self)
                ?? String(decoding: text, as: UTF8.self)
        }
    }
}
