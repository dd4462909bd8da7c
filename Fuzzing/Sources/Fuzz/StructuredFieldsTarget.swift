import FoundationEssentials
import HTTPCore
import HTTPFormats

extension FuzzTarget {
    /// The input is an item, a list and a dictionary; its lines are field lines.
    static let structuredFields = Self("structured-fields") { bytes in
        let lines = bytes.textLines
        let joined = lines.joined(separator: ", ")
        if let item = try? StructuredField.Item(parsing: lines) {
            requireRoundTrip(item, \.fieldValue) { try StructuredField.Item(parsing: $0) }
            require((try? StructuredField.Item(parsing: joined)) == item, "joining changes an item")
            read(item.value)
        }
        let list = try? StructuredField.List(parsing: lines)
        require((try? StructuredField.List(parsing: joined)) == list, "joining changes a list")
        if let list {
            requireRoundTrip(list, { $0.fieldValue ?? "" }) {
                try StructuredField.List(parsing: $0)
            }
            for member in list.members { read(member) }
            let twice = try? StructuredField.List(
                parsing: list.members.isEmpty ? [] : [list.fieldValue ?? "", list.fieldValue ?? ""])
            require(twice?.members == list.members + list.members, "two lines are not one list")
        }
        let dictionary = try? StructuredField.Dictionary(parsing: lines)
        require(
            (try? StructuredField.Dictionary(parsing: joined)) == dictionary,
            "joining changes a dictionary")
        if let dictionary {
            requireRoundTrip(dictionary, { $0.fieldValue ?? "" }) {
                try StructuredField.Dictionary(parsing: $0)
            }
            var emptied = dictionary
            for (name, member) in dictionary {
                require(dictionary[name] == member, "a member is not found by its name")
                read(member)
                emptied.remove(name)
            }
            require(emptied.isEmpty, "removed members are still there")
        }
        let limit = joined.utf8.count
        require(
            (try? StructuredField.List(parsing: lines, upTo: limit)) == list,
            "a limit that is not exceeded changes a list")
        require(
            limit == 0 || (try? StructuredField.List(parsing: lines, upTo: limit - 1)) == nil,
            "a limit is exceeded")
    }

    private static func read(_ member: StructuredField.Member) {
        switch member {
        case .item(let item): read(item.value)
        case .innerList(let list): for item in list.items { read(item.value) }
        }
        for (name, value) in member.parameters {
            require(member.parameters[name] == value, "a parameter is not found by its name")
            read(value)
        }
    }

    private static func read(_ item: StructuredField.BareItem) {
        if let number = item.doubleValue { require(abs(number) < 1e15, "\(number) has 16 digits") }
        _ = (item.dateValue, item.bytes, item.displayStringValue, item.tokenValue)
        if case .decimal(let decimal) = item {
            require(
                StructuredField.Decimal(decimal.doubleValue) == decimal,
                "\(decimal) changes as a Double")
        }
    }
}
