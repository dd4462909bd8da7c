public import HTTPCore

extension HTTPRequest {
    /// As ``json(_:encoder:)``, for a dictionary of mixed values, see ``HTTPJSON/init(any:)``.
    @_disfavoredOverload
    public func json(_ object: [String: Any]) throws(HTTPError) -> HTTPRequest {
        sendingJSON(try HTTPJSON(any: object).serialized(sortingNames: true))
    }

    /// As ``json(_:encoder:)``, for an array of mixed values, see ``HTTPJSON/init(any:)``.
    @_disfavoredOverload
    public func json(_ array: [Any]) throws(HTTPError) -> HTTPRequest {
        sendingJSON(try HTTPJSON(any: array).serialized(sortingNames: true))
    }
}
