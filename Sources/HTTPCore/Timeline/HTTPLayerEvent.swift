/// An event that a layer reports, as ``HTTPEvent/Kind/layer(_:)``. Each layer has a type of its
/// own.
///
/// A request in an event has no call (``HTTPRequest/endingCall()``): a call holds its observer, so
/// an observer that keeps events would otherwise retain itself.
public protocol HTTPLayerEvent: Sendable {}

/// An event of a layer that stays in the timeline of its call. See ``HTTPCall/record(_:)``.
public protocol HTTPTimelineEvent: HTTPLayerEvent, Hashable {
    /// The clause for this event in the description of a timeline, or `nil` for none, which is the
    /// default.
    var timelineClause: String? { get }
}

extension HTTPTimelineEvent {
    public var timelineClause: String? { nil }
}
