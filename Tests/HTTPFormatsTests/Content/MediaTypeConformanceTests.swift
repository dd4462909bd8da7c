import ConformanceVectors
import HTTPCore
import HTTPFormats
import Testing

@Suite(.enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped))
struct MediaTypeConformanceTests {
    struct Case: Decodable {
        var id: String
        var input: String
        var serialised: String?
    }

    @Test(arguments: ["parse", "parse-generated"])
    func `media types are read and written as the WHATWG standard says`(file: String) throws {
        var report = ConformanceReport("mime-type/\(file)")
        for value in try ConformanceData.cases("mime-type/\(file).json", as: Case.self) {
            let mediaType = MediaType(value.input)
            let again = mediaType.flatMap { MediaType($0.description) }
            report.record(
                value.id, mediaType?.description == value.serialised && again == mediaType,
                "\(value.input.debugDescription) gives \(String(describing: mediaType))")
        }
        report.finish()
    }

    struct Lines: Decodable {
        var id: String
        var content_type: [String]
        var serialised: String?
    }

    @Test func `the media type of a message comes from all its lines`() throws {
        var report = ConformanceReport("mime-type/extract")
        for value in try ConformanceData.cases("mime-type/extract.json", as: Lines.self) {
            var separate = HTTPHeaders()
            separate[values: .contentType] = value.content_type
            // As a line of a wire, since an empty last value leaves a blank at the end.
            var joined = HTTPHeaders()
            let line = Array(("Content-Type: " + value.content_type.joined(separator: ", ")).utf8)
            let isTaken = joined.append(line: line.span)
            let found = [separate, joined].map { $0.contentType?.description }
            report.record(
                value.id, isTaken && found == [value.serialised, value.serialised],
                "\(value.content_type) gives \(found)")
        }
        report.finish()
    }

    struct Grouped: Decodable {
        var id: String
        var input: String
        var groups: [String]
    }

    @Test func `a media type is in the groups of the WHATWG standard`() throws {
        var report = ConformanceReport("mime-type/groups")
        for value in try ConformanceData.cases("mime-type/groups.json", as: Grouped.self) {
            let groups = MediaType(value.input)?.groups.map(\.rawValue) ?? ["unreadable"]
            report.record(
                value.id, groups.sorted() == value.groups.sorted(), "\(value.input): \(groups)")
        }
        report.finish()
    }
}

extension MediaType {
    /// The groups of the WHATWG MIME Sniffing standard (§4.6).
    enum Group: String, CaseIterable {
        case image = "image"
        case audioOrVideo = "audio or video"
        case font = "font"
        case zipBased = "ZIP-based"
        case archive = "archive"
        case xml = "XML"
        case html = "HTML"
        case scriptable = "scriptable"
        case javaScript = "JavaScript"
        case json = "JSON"
    }

    var groups: Set<Group> { Set(Group.allCases.filter(isIn)) }

    private func isIn(_ group: Group) -> Bool {
        switch group {
        case .image: type == "image"
        case .audioOrVideo: type == "audio" || type == "video" || essence == "application/ogg"
        case .font: type == "font" || Self.applicationFonts.contains(essence)
        case .zipBased: subtype.hasSuffix("+zip") || essence == "application/zip"
        case .archive:
            ["application/x-rar-compressed", "application/zip", "application/x-gzip"]
                .contains(essence)
        case .xml: isXML
        case .html: essence == "text/html"
        case .scriptable: isXML || isIn(.html) || essence == "application/pdf"
        case .javaScript: isJavaScript
        case .json: isJSON
        }
    }

    private static let applicationFonts: Set = [
        "application/font-cff", "application/font-off", "application/font-sfnt",
        "application/font-ttf", "application/font-woff", "application/vnd.ms-fontobject",
        "application/vnd.ms-opentype",
    ]
}
