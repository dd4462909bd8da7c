package import HTTPCore

/// A record of the ends of a body.
package final class BodyEnds: Sendable {
    private let ends = Locked([String]())

    package init(_ body: HTTPBody) { add(to: body) }

    package func add(to body: HTTPBody) {
        body.whenEnded { [self] end in
            let text =
                switch end {
                case .complete(let trailers): trailers.map { "complete \($0)" } ?? "complete"
                case .abandoned: "abandoned"
                case .failed(let error as HTTPError): "failed \(error.code)"
                case .failed(let error): "failed \(type(of: error))"
                }
            ends.withLock { $0.append(text) }
        }
    }

    package var list: [String] { ends.withLock { $0 } }
}
