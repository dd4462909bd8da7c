public import HTTPCore

extension HTTPRoute.StringInterpolation {
    /// Appends the scalar that a JSON value is, percent-encoded: a string without the quotes of
    /// JSON, and nothing for null. The members of an array or an object are joined with commas.
    public mutating func appendInterpolation(_ json: HTTPJSON) {
        appendInterpolation(URITemplate.Value(describing: json).text ?? "")
    }
}
