extension Error {
    /// Where a decoder stopped and why, as a clause to end a sentence with: `": users[3].name is missing"`.
    /// Empty for errors that say neither. Never a value: a body may hold secrets.
    package var decodingClause: String {
        guard let error = self as? DecodingError else { return "" }
        switch error {
        case .keyNotFound(let key, let context):
            return ": \((context.codingPath + [key]).place) is missing"
        case .valueNotFound(let type, let context):
            return ": \(context.codingPath.place) is null, not \(type)"
        case .typeMismatch(let type, let context):
            return ": \(context.codingPath.place) is no \(type)"
        case .dataCorrupted(let context): return ": \(context.codingPath.place) is malformed"
        @unknown default: return ""
        }
    }
}

extension [any CodingKey] {
    /// As in `users[3].name`. Names may be the server's own, so they are made safe for a log.
    fileprivate var place: String {
        guard !isEmpty else { return "the whole" }
        let path = reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return path.logSafe
    }
}
