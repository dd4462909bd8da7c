import HTTPCore

extension Error {
    /// A clause that says where a decoder stopped and why, to append to a sentence:
    /// `": users[3].name is missing"`.
    ///
    /// Empty for other errors. Never contains a value, because a body may hold secrets.
    package var decodingClause: String {
        guard let error = self as? DecodingError else { return "" }
        switch error {
        case .keyNotFound(let key, let context):
            return ": \((context.codingPath + [key]).place) is missing"
        case .valueNotFound(let type, let context):
            return ": \(context.codingPath.place) is null, not \(type)"
        case .typeMismatch(let type, let context):
            return ": \(context.codingPath.place) is not of type \(type)"
        case .dataCorrupted(let context): return ": \(context.codingPath.place) is malformed"
        @unknown default: return ""
        }
    }
}

extension [any CodingKey] {
    /// The path as text, such as `users[3].name`. The server may have chosen the names, so they are
    /// escaped for a log.
    fileprivate var place: String {
        guard !isEmpty else { return "the whole value" }
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
