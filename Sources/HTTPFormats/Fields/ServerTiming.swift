import HTTPCore

/// What a server did for a response, and how long it took: one metric of `Server-Timing`
/// (W3C Server Timing §3).
public struct ServerTiming: Hashable, Sendable {
    public struct Parameter: Hashable, Sendable {
        /// In lower case.
        public let name: String
        public let value: String
    }

    public let name: String
    /// In the order written. Of several of one name the first counts.
    public let parameters: [Parameter]

    public subscript(name: String) -> String? {
        let name = name.asciiLowercased
        return parameters.first { $0.name == name }?.value
    }

    /// `nil` where there is none, or none that can be: below zero, or more than 31 years.
    public var duration: Duration? {
        guard let milliseconds = self["dur"].flatMap(Double.init), (0...1e12).contains(milliseconds)
        else { return nil }
        return .milliseconds(milliseconds)
    }

    /// What the server calls the metric when it talks to people.
    public var label: String? { self["desc"] }

    /// Reads the metrics of one field line. A member without a name is left out; what is wrong with
    /// its parameters costs the parameters.
    public static func metrics(in fieldLine: String) -> [ServerTiming] {
        FieldScanner.members(fieldLine) { scanner in
            guard let name = scanner.token() else { return nil }
            let parameters = scanner.parameters() ?? []
            return ServerTiming(
                name: name, parameters: parameters.map { Parameter(name: $0.name, value: $0.value) }
            )
        }
    }
}
