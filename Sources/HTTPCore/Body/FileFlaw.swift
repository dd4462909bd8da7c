package import PortableLibc

/// The reason why a file or folder is not used: another user may have a hand in it.
///
/// Everything that this package opens in order to trust, continue or overwrite it is checked with
/// this type, on the open descriptor: the name may refer to another file by then.
package enum FileFlaw: Hashable, Sendable {
    /// It is not a regular file, or not a folder.
    case kind
    /// It belongs to another user.
    case owner
    /// It has a second name (a hard link), under which it may be another file of this user.
    case links
    /// Other users may write to it.
    case mode

    /// The use of a file.
    package enum Use: Sendable {
        /// The contents decide what the program does, as cookies and passwords do. A file of root
        /// may be used, and root may use any file, because root can change any file.
        case reading
        /// The file is continued, overwritten, or handed to the caller as the program's own.
        case writing
        /// The folder contains files of this user only.
        case folder
    }

    /// Returns `nil` if a process of `user` may use the file.
    package init?(_ status: stat, for use: Use, user: uid_t = geteuid()) {
        let kind = status.st_mode & S_IFMT
        let owner = status.st_uid
        switch use {
        case .reading:
            if kind != S_IFREG {
                self = .kind
            } else if owner != user, owner != 0, user != 0 {
                self = .owner
            } else if status.st_mode & S_IWOTH != 0 {
                // Not the group: a user's own group is a usual one.
                self = .mode
            } else {
                return nil
            }
        case .writing, .folder:
            if kind != (use == .folder ? S_IFDIR : S_IFREG) {
                self = .kind
            } else if owner != user {
                self = .owner
            } else if use == .writing, status.st_nlink != 1 {
                self = .links
            } else if status.st_mode & (S_IWGRP | S_IWOTH) != 0 {
                self = .mode
            } else {
                return nil
            }
        }
    }

    /// Returns `nil` if a process of this user may use the open file.
    ///
    /// - Throws: The error of the system.
    package init?(of descriptor: Int32, for use: Use) throws(SystemError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError(errno) }
        self.init(status, for: use)
    }
}

extension FileFlaw: CustomStringConvertible {
    /// The reason, as a clause.
    package var description: String {
        switch self {
        case .kind: "it is not a regular file"
        case .owner: "it belongs to another user"
        case .links: "it has a second name (a hard link)"
        case .mode: "other users may write to it"
        }
    }
}
