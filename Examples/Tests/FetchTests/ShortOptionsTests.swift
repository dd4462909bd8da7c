import ArgumentParser
import Testing

@testable import fetch

@Suite struct ShortOptionsTests {
    @Test(arguments: [
        ("-sSfL http://h", "-s -S -f -L http://h"),
        ("-XPOST -da=1", "-X POST -d a=1"),
        ("-sofile -so -L", "-s -o file -s -o -L"),
        ("-o - -d -x -4#V", "-o - -d -x --ipv4 --progress-bar --version"),
        ("--data -sS -sS", "--data -sS -s -S"),
        ("--data=x -sS -- -sS", "--data=x -s -S -- -sS"),
        ("-sK x - -", "-sK x - -"),
        ("--json", "--json"), ("-d", "-d"),
    ])
    func `short options are separated, and values are left alone`(line: String, result: String) {
        let words = line.split(separator: " ").map { String($0) }
        #expect(ShortOptions.separated(words).joined(separator: " ") == result)
    }

    /// The tables must know each option of the program, or values would be taken for options.
    @Test func `the tables are those of the help`() {
        var longWithValue: Set<String> = []
        var withValue: Set<Character> = []
        var flags: Set<Character> = []
        for line in Fetch.helpMessage(columns: 400).split(separator: "\n") {
            guard let start = line.firstIndex(of: "-"), line[..<start].allSatisfy({ $0 == " " })
            else { continue }
            let names = line[start...].split(separator: ",").flatMap { $0.split(separator: " ") }
                .prefix { $0.hasPrefix("-") }
            let rest = line[(names.last?.endIndex ?? start)...]
            let takesValue = rest.hasPrefix(" <")
            for name in names {
                if name.hasPrefix("--") {
                    if takesValue { longWithValue.insert(String(name.dropFirst(2))) }
                } else if let letter = name.dropFirst().first {
                    _ = takesValue ? withValue.insert(letter) : flags.insert(letter)
                }
            }
        }
        #expect(withValue == ShortOptions.withValue)
        #expect(flags == ShortOptions.flags)
        #expect(longWithValue.isSubset(of: ShortOptions.longWithValue))
        // An option of the argument parser, which the help does not list.
        #expect(
            ShortOptions.longWithValue.subtracting(longWithValue) == ["generate-completion-script"])
    }
}
