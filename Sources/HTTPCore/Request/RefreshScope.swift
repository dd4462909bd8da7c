/// The scope of a refresh of credentials, or of other work before a call is sent again.
///
/// Nothing that a refresh does starts another refresh, whichever object would do it: no second
/// login starts because a login was refused. The owner is task-local. ``SharedFlight`` passes it on
/// to its own task, and a call that begins in the scope keeps it. So it is also known to layers
/// that send in a task of their own.
package enum RefreshScope {
    /// The object that refreshes.
    @TaskLocal package static var owner: ObjectIdentifier?
}
