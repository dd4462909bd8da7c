public import PortableFoundation

extension URL {
    /// The scheme, host, port and path, for logs, metrics and traces.
    ///
    /// User information, query and fragment may be secrets, and are left out; a query leaves the
    /// mark `?…`. So may everything after the scheme of a URL without a host
    /// (`user:password@host`, `data:…`). The path is kept: a service that puts secrets into paths
    /// needs a text of its own.
    public var logSafe: String {
        let text = absoluteString
        guard let uri = try? URIReference(text) else { return "<not a URL>" }
        var safe = uri.scheme.map { "\($0):" } ?? ""
        if uri.scheme != nil, uri.authority == nil { return safe + "…" }
        if let authority = uri.authority {
            safe += "//\(authority.host)" + (authority.port.map { ":\($0)" } ?? "")
        }
        return safe + uri.path + (uri.query == nil ? "" : "?…")
    }
}
