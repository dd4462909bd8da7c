// Converts symbol graphs to a page: `render FOLDER TARGET...`. See Scripts/public-api.

import FoundationEssentials

struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable { var identifier: String }
        struct Identifier: Decodable { var precise: String }
        struct Fragment: Decodable { var spelling: String }

        var kind: Kind
        var identifier: Identifier
        var pathComponents: [String]
        var declarationFragments: [Fragment]

        var isType: Bool {
            ["class", "struct", "enum", "protocol"].contains { kind.identifier == "swift.\($0)" }
        }
        /// The declaration on one line.
        var declaration: String {
            declarationFragments.map(\.spelling).joined()
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }

    struct Relationship: Decodable {
        var kind: String
        var source: String
        var target: String
        var targetFallback: String?
    }

    var symbols: [Symbol]
    var relationships: [Relationship]
}

/// Conformances that are listed with the type already, or that every type has.
let impliedMembers: Set<String> = [
    "==(_:_:)", "<(_:_:)", "hash(into:)", "description", "debugDescription", "customMirror",
]
let impliedProtocols: Set<String> = [
    "Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable",
]

/// Returns the section of the page for one target.
func section(_ target: String, from graphs: [SymbolGraph]) -> String {
    let symbols = graphs.flatMap(\.symbols)
    let relationships = graphs.flatMap(\.relationships)
    let names = Dictionary(
        symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
        uniquingKeysWith: { first, _ in first })
    let protocols = Set(
        symbols.filter { $0.kind.identifier == "swift.protocol" }.map(\.identifier.precise))

    var conformances: [String: Set<String>] = [:]  // by the type's identifier
    var owners: [String: String] = [:]  // a member's type, by identifier
    var notes: [String: String] = [:]  // by the member's identifier
    for relationship in relationships {
        switch relationship.kind {
        case "conformsTo":
            let name = names[relationship.target] ?? relationship.targetFallback ?? ""
            let short = name.split(separator: ".").last.map(String.init) ?? name
            guard !impliedProtocols.contains(short) else { continue }
            conformances[relationship.source, default: []].insert(short)
        case "memberOf":
            owners[relationship.source] = relationship.target
            if protocols.contains(relationship.target) {
                notes[relationship.source] = "  // in an extension"
            }
        default: break
        }
    }
    func inheritance(_ type: String) -> String {
        let list = conformances[type, default: []].sorted()
        return list.isEmpty ? "" : ": " + list.joined(separator: ", ")
    }

    // A group per type: its own declaration first, then its members.
    var groups: [String: (head: String?, members: Set<String>)] = [:]
    for symbol in symbols {
        let path = symbol.pathComponents
        let identifier = symbol.identifier.precise
        if symbol.isType {
            let isWhole = protocols.contains(identifier)  // a protocol's declaration has its list
            groups[path.joined(separator: "."), default: (nil, [])].head =
                symbol.declaration + (isWhole ? "" : inheritance(identifier))
        } else if !impliedMembers.contains(path.last ?? "") {
            let group = path.dropLast().joined(separator: ".")
            groups[group, default: (nil, [])].members
                .insert(symbol.declaration + notes[identifier, default: ""])
            if let owner = owners[identifier], names[owner] == nil {
                groups[group]?.head = "extension \(group)" + inheritance(owner)
            }
        }
    }

    var lines = ["## \(target)", ""]
    for (name, group) in groups.sorted(by: { $0.key < $1.key }) {
        lines += ["### \(name.isEmpty ? "Functions" : name)", "", "```swift"]
        if let head = group.head { lines.append(head) }
        lines += group.members.sorted().map { group.head == nil ? $0 : "    \($0)" }
        lines += ["```", ""]
    }
    return lines.joined(separator: "\n")
}

let folder = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)
let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
print(
    "# Public API\n\nMade by `Scripts/public-api` from the symbol graphs; "
        + "CI fails when it is not current.\n"
)
for target in CommandLine.arguments.dropFirst(2) {
    let graphs =
        try files
        .filter { $0 == "\(target).symbols.json" || $0.hasPrefix("\(target)@") }
        .map {
            try JSONDecoder().decode(
                SymbolGraph.self, from: Data(contentsOf: folder.appending(path: $0)))
        }
    print(section(target, from: graphs))
}
