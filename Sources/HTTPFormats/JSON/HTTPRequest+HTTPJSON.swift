public import HTTPCore

extension HTTPRequest {
    /// Returns this request with a dictionary of mixed values as its body. The same as
    /// ``json(_:encoder:)`` otherwise. See ``/HTTPFormats/HTTPJSON/init(any:)``.
    @_disfavoredOverload
    public func json(_ object: [String: Any]) throws(HTTPError) -> HTTPRequest {
        sendingJSON(try HTTPJSON(any: object).serialized(sortingNames: true))
    }

    /// Returns this request with an array of mixed values as its body. The same as
    /// ``json(_:encoder:)`` otherwise. See ``/HTTPFormats/HTTPJSON/init(any:)``.
    @_disfavoredOverload
    public func json(_ array: [Any]) throws(HTTPError) -> HTTPRequest {
        sendingJSON(try HTTPJSON(any: array).serialized(sortingNames: true))
    }
}
