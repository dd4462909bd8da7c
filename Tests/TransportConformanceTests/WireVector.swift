import HTTPCore
import PortableFoundation

/// A third-party response, byte by byte, with its verdict by RFC 9112.
///
/// The README of the vectors explains the fields.
struct WireVector: Decodable, Sendable {
    struct RFC: Decodable, Sendable {
        var verdict: String
        var message: Message?
        var reasons: [Reason]?
    }
    struct Reason: Decodable, Sendable {
        var code: String
    }
    /// Large messages name the number of their fields or trailers in place of these.
    struct Message: Decodable, Sendable {
        var status: Int
        var fields: [[String]]?
        var field_count: Int?
        var body_length: Int?
        var body_b64: String?
        var trailers: [[String]]?
        var trailer_count: Int?
    }
    struct Segment: Decodable, Sendable {
        var bytes: [UInt8]
        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            let piece = Array(Data(base64Encoded: try values.decode(String.self)) ?? Data())
            let times = try values.decode(Int.self)
            bytes = Array((0..<times).map { _ in piece }.joined())
        }
    }

    var id: String
    var request_method: String
    var raw_b64: String?
    var raw_segments: [Segment]?
    var rfc: RFC

    var bytes: [UInt8] {
        raw_b64.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
            ?? (raw_segments ?? []).flatMap(\.bytes)
    }
}

extension WireVector {
    enum Outcome {
        case answer(status: Int, fields: [[String]], body: Data, trailers: [[String]])
        case error(HTTPError)
    }

    /// The part of a section that a transport shows.
    enum Sections {
        /// Every field, in order.
        case whole
        /// One value per name, in no order.
        case joined

        fileprivate func normal(_ fields: [[String]]) -> [[String]] {
            let fields = fields.map { [$0[0].lowercased(), $0[1]] }
            guard case .joined = self else { return fields }
            return Dictionary(grouping: fields, by: { $0[0] })
                .map { [$0.key, $0.value.map { $0[1] }.joined(separator: ", ")] }
                .sorted { $0[0] < $1[0] }
        }

        fileprivate func agree(
            _ found: [[String]], _ expected: [[String]]?, count: Int?
        ) -> Bool {
            if expected == nil, let count {
                switch self {
                case .whole: return found.count == count
                case .joined: return found.count <= count && found.isEmpty == (count == 0)
                }
            }
            return normal(found) == normal(expected ?? [])
        }
    }

    /// Returns whether a client with this outcome conforms to the RFC.
    func allows(_ outcome: Outcome, _ sections: Sections = .whole) -> Bool {
        switch (rfc.verdict, outcome) {
        case ("accept", .answer), ("either", .answer):
            rfc.message.map { $0.agrees(with: outcome, sections) } ?? false
        case ("reject", .error), ("incomplete", .error), ("either", .error): true
        default: false
        }
    }
}

extension WireVector.Message {
    fileprivate func agrees(
        with outcome: WireVector.Outcome, _ sections: WireVector.Sections
    ) -> Bool {
        guard case .answer(let found, let fields, let body, let trailers) = outcome else {
            return false
        }
        let isBodyRight =
            body_b64.map { Data(base64Encoded: $0) == body } ?? (body_length == body.count)
        return status == found && isBodyRight
            && sections.agree(fields, self.fields, count: field_count)
            && sections.agree(trailers, self.trailers, count: trailer_count)
    }
}

extension WireVector.Outcome: CustomStringConvertible {
    var description: String {
        switch self {
        case .answer(let status, _, let body, _): "answered \(status), \(body.count) bytes"
        case .error(let error): "\(error)"
        }
    }
}
