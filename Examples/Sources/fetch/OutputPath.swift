import HTTPClientKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The place for the body: a file, whose name the response may choose, or standard output.
struct OutputPath: Sendable, Equatable {
    enum Name: Sendable, Equatable {
        case standardOutput
        case given(String)
        /// The last part of the URL's path, or that of `Content-Disposition` if `asksResponse`.
        case remote(String, asksResponse: Bool)
    }

    let name: Name
    /// The folder that names are in, or `nil` for the current one.
    let folder: String?
    /// `true` if missing folders are created.
    let createsFolders: Bool

    /// The path, or `nil` for standard output.
    func path(for head: HTTPResponse.Head? = nil) -> String? {
        switch name {
        case .standardOutput: nil
        case .given(let name): inFolder(name)
        case .remote(let name, let asksResponse):
            inFolder(asksResponse ? proposed(by: head) ?? name : name)
        }
    }

    /// Opens the file for a response, or standard output.
    ///
    /// A name that the response has chosen never replaces a file.
    func open(for head: HTTPResponse.Head) throws(HTTPError) -> OutputFile {
        guard let path = path(for: head) else { return .standardOutput }
        try prepare(path)
        if case .remote(_, true) = name, proposed(by: head) != nil {
            return try OutputFile(path, .creating)
        }
        return try OutputFile(path)
    }

    /// Creates the folders of a path, if that is asked for.
    func prepare(_ path: String) throws(HTTPError) {
        guard createsFolders, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            return
        }
        do {
            try FileManager.default.createDirectory(
                atPath: String(path[..<slash]), withIntermediateDirectories: true)
        } catch {
            throw HTTPError(
                .fileNotWritten, "cannot create the folder \(path[..<slash])",
                underlyingError: error)
        }
    }

    private func proposed(by head: HTTPResponse.Head?) -> String? {
        head?.headers[.contentDisposition].flatMap { ContentDisposition($0)?.safeFileName }
    }

    private func inFolder(_ name: String) -> String {
        guard let folder else { return name }
        return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }
}
