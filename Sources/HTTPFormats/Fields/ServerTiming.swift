import HTTPCore

/// A metric of `Server-Timing`: something that a server did for a response, and its duration (W3C
/// Server Timing §3).
package struct ServerTiming: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        /// The name in lower case.
        package let name: String
        package let value: String
    }

    package let name: String
    /// The parameters in the order written. If a name is repeated, the first one counts.
    package let parameters: [Parameter]

    package subscript(name: String) -> String? {
        let name = name.asciiLowercased
        return parameters.first { $0.name == name }?.value
    }

    /// The duration, or `nil` if it is absent or implausible: below zero, or more than 31 years.
    package var duration: Duration? {
        guard let milliseconds = self["dur"].flatMap(Double.init), (0...1e12).contains(milliseconds)
        else { return nil }
        return .milliseconds(milliseconds)
    }

    /// The description of the metric for display.
    package var label: String? { self["desc"] }

    /// Returns the metrics in one field line. A member without a name is left out; if the
    /// parameters are malformed, the metric has none.
    package static func metrics(in fieldLine: String) -> [ServerTiming] {
        FieldScanner.members(fieldLine) { scanner in
            guard let name = scanner.token() else { return nil }
            let parameters = scanner.parameters() ?? []
            return ServerTiming(
                name: name, parameters: parameters.map { Parameter(name: $0.name, value: $0.value) }
            )
        }
    }
}
