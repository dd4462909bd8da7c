import FoundationEssentials
import HTTPCore
import HTTPFormats

extension FuzzTarget {
    /// The first line is a URL, the second a reference to resolve against it, the third a URL part.
    static let uri = Self("uri") { bytes in
        let lines = bytes.textLines
        let reference = lines.count > 1 ? lines[1] : lines[0]
        let part = lines.count > 2 ? lines[2] : reference
        guard let url = try? URL(strictly: lines[0]) else { return }
        requireSame(url.absoluteString, lines[0], "a URL is repaired")
        if let target = try? HTTPTarget(url) { check(target) }
        if let origin = try? HTTPOrigin(url) { check(origin) }
        // A reference without a path keeps the path of its base, including dot segments.
        if let base = try? url.resolving(received: Array(lines[0].utf8)),
            let resolved = try? base.resolving(received: Array(reference.utf8))
        {
            let again = try? base.resolving(received: Array(resolved.absoluteString.utf8))
            requireSame(
                again?.absoluteString ?? "<none>", resolved.absoluteString,
                "resolving twice differs from resolving once")
        }
        if let joined = try? Route(reference).joined(to: url) {
            require((try? URL(strictly: joined.absoluteString)) == joined, "invalid joined URL")
            require(
                Route(reference).kind == .absolute
                    || (try? HTTPOrigin(joined)) == (try? HTTPOrigin(url)),
                "a route leaves the origin of its base")
        }
        checkParts(HTTPRequest(.get, url), part)
    }

    private static func check(_ target: HTTPTarget) {
        require(
            target.originForm.utf8.first == UInt8(ascii: "/")
                && target.originForm.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x23 },
            "\(target.originForm.debugDescription) is no origin form")
        let again = (try? URL(strictly: target.url)).flatMap { try? HTTPTarget($0) }
        require(again == target, "\(target.url) is another target")
        check(target.origin)
    }

    private static func check(_ origin: HTTPOrigin) {
        let again = (try? URL(strictly: origin.description)).flatMap { try? HTTPOrigin($0) }
        require(again == origin, "\(origin) is not its own origin")
        require((1...65535).contains(origin.port), "\(origin) has no port")
        require(
            origin.host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/@?#%".utf8.contains($0) },
            "\(origin.host.debugDescription) is no host")
    }

    private static func checkParts(_ request: HTTPRequest, _ part: String) {
        func change(_ change: (HTTPRequest) throws -> HTTPRequest) -> URL? {
            guard let url = try? change(request).url else { return nil }
            require((try? URL(strictly: url.absoluteString)) == url, "\(url) is no URL")
            return url
        }
        if let url = change({ try $0.with(query: part) }) {
            let query = url.absoluteString.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()
                .prefix { $0 != UInt8(ascii: "#") }
            requireSame(String(decoding: query, as: UTF8.self), part, "a query")
        }
        if let url = change({ try $0.with(fragment: part) }) {
            let fragment = url.absoluteString.utf8.drop { $0 != UInt8(ascii: "#") }.dropFirst()
            requireSame(String(decoding: fragment, as: UTF8.self), part, "a fragment")
        }
        _ = change { try $0.route(part) }
        _ = change { try $0.with(scheme: part) }
        guard let origin = try? HTTPOrigin(request.url) else { return }
        if let url = change({ try $0.with(host: part) }) {
            require((try? HTTPOrigin(url))?.port == origin.port, "a host changes the port")
        }
        if Route(part).kind != .absolute, let url = change({ try $0.with(path: part) }) {
            require((try? HTTPOrigin(url)) == origin, "a path changes the origin")
        }
    }
}
