import HTTPClientKit
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The value of one of curl's options for data. Several are joined with `&`.
struct DataPiece: Sendable {
    enum Kind: Sendable {
        /// `-d`: text, or a file without its line ends.
        case text
        /// `--data-raw`: text, whatever its first character.
        case raw
        /// `--data-binary`: text, or a file as it is.
        case binary
        /// `--data-urlencode`: text or a file, encoded for a form.
        case encoded
    }

    let kind: Kind
    let value: String
    /// The place on the command line, among the pieces of all kinds.
    let place: Int

    private static let count = Atomic(0)

    init(_ kind: Kind, _ value: String) {
        self.kind = kind
        self.value = value
        place = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// The file that the bytes come from, or `nil`.
    var file: InputFile? {
        switch kind {
        case .raw: nil
        case .text, .binary: value.hasPrefix("@") ? InputFile(value.dropFirst()) : nil
        case .encoded:
            encodedParts.isFile ? InputFile(encodedParts.content) : nil
        }
    }

    /// Returns the bytes as a body. Files are streamed, except encoded ones; standard input and
    /// pipes are read to their end, so that the length is known.
    func body() throws(HTTPError) -> HTTPBody {
        if kind == .encoded { return HTTPBody(try encoded()) }
        guard let file else { return HTTPBody(value) }
        if !file.isRegular {
            let bytes = try file.read()
            return HTTPBody(kind == .text ? Data(bytes.filter(Self.isKept)) : bytes)
        }
        return kind == .text ? try Self.withoutLineEnds(file) : try file.body()
    }

    /// Returns the bytes as text, for a query.
    func text() throws(HTTPError) -> String {
        if kind == .encoded { return try encoded() }
        guard let file else { return value }
        let text = try file.readText()
        return kind == .text
            ? String(decoding: text.utf8.filter(Self.isKept), as: UTF8.self) : text
    }
}

// MARK: - Line ends

extension DataPiece {
    /// `-d` drops line ends and NUL from files, as curl does.
    private static func isKept(_ byte: UInt8) -> Bool {
        byte != 0x0A && byte != 0x0D && byte != 0x00
    }

    /// Returns a body that streams the file without its line ends. The file is read twice, once now
    /// for the length.
    private static func withoutLineEnds(_ file: InputFile) throws(HTTPError) -> HTTPBody {
        var length: Int64 = 0
        try file.forEachPiece { piece in
            for byte in piece where isKept(byte) { length += 1 }
        }
        let whole = try file.body()
        return HTTPBody(length: length) {
            whole.map { Data($0.filter(isKept)) }.filter { !$0.isEmpty }
        }
    }
}

// MARK: - Encoding

extension DataPiece {
    /// The parts of `content`, `=content`, `name=content`, `@file` or `name@file`.
    private var encodedParts: (name: Substring, content: Substring, isFile: Bool) {
        // A name with an equals sign behind it may contain an @.
        guard let mark = value.firstIndex(of: "=") ?? value.firstIndex(of: "@") else {
            return ("", value[...], false)
        }
        return (value[..<mark], value[value.index(after: mark)...], value[mark] == "@")
    }

    private func encoded() throws(HTTPError) -> String {
        let (name, content, isFile) = encodedParts
        let bytes = isFile ? try InputFile(content).read() : Data(content.utf8)
        return (name.isEmpty ? "" : "\(name)=") + PercentCoding.encoded(bytes, blanksAsPlus: true)
    }
}
