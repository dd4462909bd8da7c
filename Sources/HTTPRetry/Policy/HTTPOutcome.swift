public import HTTPCore
import PortableFoundation

/// The end of an attempt: a response of any status, or a failure.
public typealias HTTPOutcome = Result<HTTPResponse, any Error>

extension HTTPOutcome {
    /// The part of the response's body that an error about this outcome keeps: of a body in memory,
    /// or that of the error.
    var bodyPrefix: Data? {
        switch self {
        case .success(let response): response.bodyPrefixInMemory
        case .failure(let error): (error as? HTTPError)?.bodyPrefix
        }
    }
}
