import HTTPCore

/// An ordered map in which a name keeps its first position and its last value (RFC 9651 §4.2.2,
/// §4.2.3.2).
///
/// Few names are searched, many are found through a hash table. A hostile field thus costs linear
/// time, and an ordinary one costs no hash table.
struct StructuredFieldEntries<Value: Hashable & Sendable>: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        let name: String
        var value: Value
    }

    private static var searched: Int { 8 }

    private(set) var all: [Entry] = []
    /// The position of each name; empty while there are few.
    private var places: [String: Int] = [:]

    var count: Int { all.count }

    subscript(name: String) -> Value? { place(of: name).map { all[$0].value } }

    mutating func set(_ name: String, _ value: Value) {
        if let place = place(of: name) {
            all[place].value = value
            return
        }
        all.append(Entry(name: name, value: value))
        if all.count == Self.searched + 1 {
            index()
        } else if all.count > Self.searched {
            places[name] = all.count - 1
        }
    }

    mutating func remove(_ name: String) {
        guard let place = place(of: name) else { return }
        all.remove(at: place)
        places = [:]
        if all.count > Self.searched { index() }
    }

    private mutating func index() {
        for (place, entry) in all.enumerated() { places[entry.name] = place }
    }

    private func place(of name: String) -> Int? {
        all.count > Self.searched ? places[name] : all.firstIndex { $0.name == name }
    }

    static func == (a: Self, b: Self) -> Bool { a.all == b.all }
    func hash(into hasher: inout Hasher) { hasher.combine(all) }
}
