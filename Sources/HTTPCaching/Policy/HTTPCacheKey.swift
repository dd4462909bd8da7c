/// The key of stored responses: the URL, and the partition of the credentials that the request was
/// sent with (RFC 9111 §2). Responses of different partitions are never mixed.
public struct HTTPCacheKey: Hashable, Sendable {
    /// The partition; empty for requests without credentials. It holds no secret: it is a digest of
    /// the credentials, or of the name that the program chose.
    public let partition: String
    /// The URL in its normalized form, without user information and fragment.
    public let url: String

    /// Creates a key. Two keys are equal if both parts are.
    public init(partition: String, url: String) {
        self.partition = partition
        self.url = url
    }
}
