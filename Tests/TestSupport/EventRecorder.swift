package import HTTPCore

/// An observer that keeps all events.
package struct EventRecorder: HTTPObserver {
    private let events: Record<HTTPEvent>

    package init(_ events: Record<HTTPEvent>) { self.events = events }

    package func observe(_ event: HTTPEvent) { events.add(event) }
}
