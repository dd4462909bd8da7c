extension HTTPHeaders {
    /// The values of all fields of that name as one, joined with `", "` (RFC 9110 §5.3), or `nil`.
    ///
    /// Always `nil` for `Set-Cookie`, whose values cannot be joined: use ``subscript(values:)``. Where
    /// only one value is allowed the joined one will not parse, as it should not.
    public subscript(combined name: HTTPHeaderName) -> String? {
        guard name != .setCookie, contains(name) else { return nil }
        return self[values: name].joined(separator: ", ")
    }
}
