import HTTPTesting
import TestSupport

/// The vectors whose results differ because of URLSession on Linux (swift-corelibs-foundation of
/// Swift 6.3.1), by id, each with the reason. See ``corelibsExclusions`` for the issues.
private let corelibsVectorDifferences: [String: String] = [
    "aiohttp/utf8-no-reason":
        "URLSession's parser wants a blank behind the colon of a field (corelibs #5527)",
    "h11/unusual/4": "URLSession's parser finds no value in blanks, and fails the task",
    "derived/version/lower": "URLSession takes a version in small letters, and does not show it",
    "wpt/content-length/10":
        "URLSession joins the fields of one name, and the comma between two lengths may be "
        + "either's",
].merging((try? curlDifferences(.response)) ?? [:]) { own, _ in own }

extension WireVector {
    private func isAbout(_ code: String) -> Bool {
        rfc.reasons?.contains { $0.code == code } == true
    }

    private var hasTrailers: Bool {
        rfc.message?.trailers?.isEmpty == false || (rfc.message?.trailer_count ?? 0) > 0
    }

    /// Returns the known reason why this vector's result is not right, if there is one.
    ///
    /// The reason is found by the vector's id, or by its subject, which applies to vectors of any
    /// folder.
    func corelibsReason(_ result: URLSessionVectorRun.Result?) -> String? {
        switch result?.isRight {
        case nil where hasTrailers: "trailers end the process"
        case nil where isAbout("eof-in-header"):
            "a connection that ends inside the header section ends the process (corelibs #5285)"
        case false? where isAbout("obs-fold"):
            "URLSession's parser does not join folded lines as RFC 9112 §5.2 says"
        case nil: nil
        case _?: corelibsVectorDifferences[id]
        }
    }
}
