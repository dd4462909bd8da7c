/// The mark of what is part of a refresh of credentials, or of other work before a call is sent
/// again.
///
/// Nothing that a refresh does starts another one, whatever object would do it: a login that is
/// refused is not logged in for. The mark is the task's, ``SharedFlight`` takes it along into its
/// own task, and a call that begins under it keeps it: so no layer loses it that sends in a task of
/// its own.
package enum RefreshScope {
    /// The object whose work it is.
    @TaskLocal package static var owner: ObjectIdentifier?
}

extension HTTPRequest {
    /// The object whose refresh this request is part of; `nil` for none.
    package var refreshOwner: ObjectIdentifier? { call?.refreshOwner ?? RefreshScope.owner }
}
