/// A path and all paths below it, compared by segments. `/a` contains `/a` and `/a/b`. `/a/`
/// contains only the latter. Neither contains `/ab`.
struct PathScope: Hashable, Sendable {
    /// The path with a slash at its end.
    private let folder: String
    private let isFolderAlone: Bool

    static let all = PathScope("/")

    init(_ path: some StringProtocol) {
        let path = path.utf8.first == UInt8(ascii: "/") ? String(path) : "/" + path
        isFolderAlone = path.utf8.last == UInt8(ascii: "/")
        folder = isFolderAlone ? path : path + "/"
    }

    /// Creates the scope of credentials that were accepted at a path: all paths at or below the
    /// depth of its last segment (RFC 7617 §2.2).
    init(around originForm: String) {
        let path = originForm.prefix { $0 != "?" }
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        self.init(path[...slash])
    }

    var depth: Int { folder.utf8.count }

    func contains(_ originForm: String) -> Bool {
        let path = originForm.prefix { $0 != "?" }
        return path.utf8.starts(with: folder.utf8)
            || !isFolderAlone && path.utf8.elementsEqual(folder.utf8.dropLast())
    }
}
