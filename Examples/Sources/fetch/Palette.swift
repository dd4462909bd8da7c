#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The colours of text for a terminal.
struct Palette: Sendable {
    enum Role: Sendable {
        case name, string, number, literal
        case queued, resolving, connecting, securing, sending, waiting, receiving

        /// The parameters of the terminal's sequence for colours (ECMA-48 SGR).
        fileprivate var parameters: String {
            switch self {
            case .name: "34;1"
            case .string, .waiting: "32"
            case .number, .sending: "36"
            case .literal, .securing: "35"
            case .queued: "90"
            case .resolving: "33"
            case .connecting: "34"
            case .receiving: "32;1"
            }
        }
    }

    private let isColoured: Bool

    /// Text without colours.
    static let plain = Palette(isColoured: false)
    static let coloured = Palette(isColoured: true)

    /// Creates the palette of a stream: coloured if it is a terminal, unless the command line or
    /// `NO_COLOR` says otherwise.
    static func of(isTerminal: Bool, noColor: Bool) -> Palette {
        let isOff = unsafe getenv("NO_COLOR").map { unsafe $0.pointee != 0 } ?? false
        return isTerminal && !noColor && !isOff ? .coloured : .plain
    }

    private init(isColoured: Bool) { self.isColoured = isColoured }

    func paint(_ text: String, _ role: Role) -> String {
        opening(role) + text + closing
    }

    /// The text before painted text.
    func opening(_ role: Role) -> String { isColoured ? "\u{1B}[\(role.parameters)m" : "" }

    /// The text after painted text.
    var closing: String { isColoured ? "\u{1B}[0m" : "" }

    /// Returns a waterfall of the timeline with its bars in the colours of their phases.
    func paint(waterfall: String) -> String {
        guard isColoured else { return waterfall }
        return waterfall.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard let role = Self.phases.first(where: { line.hasPrefix("  \($0.label)") })?.role,
                let start = line.firstIndex(of: "█"), let end = line.lastIndex(of: "█")
            else { return String(line) }
            return line[..<start] + paint(String(line[start...end]), role)
                + line[line.index(after: end)...]
        }.joined(separator: "\n")
    }

    private static let phases: [(label: String, role: Role)] = [
        ("queued", .queued), ("name", .resolving), ("connect", .connecting), ("TLS", .securing),
        ("sending", .sending), ("first byte", .waiting), ("last byte", .receiving),
    ]
}
