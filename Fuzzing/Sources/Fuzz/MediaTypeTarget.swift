import FoundationEssentials
import HTTPCore
import HTTPFormats

extension FuzzTarget {
    /// Each line is a media type, a media range, and a line of the field.
    static let mediaType = Self("media-type") { bytes in
        let lines = bytes.textLines
        for line in lines.prefix(8) {
            if let mediaType = MediaType(line) {
                check(mediaType)
                require(
                    MediaType(fieldLines: [mediaType.description])?.essence == mediaType.essence
                        || mediaType.essence == "*/*", "a field line is not a media type")
            }
            if let range = MediaRange(line) {
                requireRoundTrip(range, \.description) { MediaRange($0) }
                _ = range.matches(.json)
            }
        }
        if let mediaType = MediaType(fieldLines: lines) { check(mediaType) }
    }

    private static func check(_ mediaType: MediaType) {
        requireRoundTrip(mediaType, \.description) { MediaType($0) }
        require(
            MediaRange(mediaType).matches(mediaType), "\(mediaType) is not in its own range")
        require(MediaRange.any.matches(mediaType), "\(mediaType) is not in */*")
        for parameter in mediaType.parameters {
            requireSame(mediaType[parameter.name] ?? "", parameter.value, "a parameter")
            var changed = mediaType
            changed[parameter.name] = nil
            require(changed[parameter.name] == nil, "a removed parameter is still there")
        }
        _ = mediaType.charset
        do {
            var headers = HTTPHeaders()
            try headers.append(.contentType, mediaType.description)
        } catch { fatalError("broken: \(mediaType) is not a field value: \(error)") }
    }
}
