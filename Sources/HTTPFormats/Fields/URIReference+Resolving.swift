package import HTTPCore

extension URIReference {
    /// Returns the target of this reference, relative to `base` (RFC 3986 §5.2.2).
    package func resolved(against base: URIReference) -> URIReference {
        var target = self
        if scheme != nil || authority != nil {
            target.scheme = scheme ?? base.scheme
            target.path = Self.removingDotSegments(path)
        } else {
            target.scheme = base.scheme
            target.authority = base.authority
            if path.isEmpty {
                target.path = base.path
                target.query = query ?? base.query
            } else if path.utf8.first == UInt8(ascii: "/") {
                target.path = Self.removingDotSegments(path)
            } else {
                target.path = Self.removingDotSegments(Self.merge(base, path))
            }
        }
        target.text = target.recomposed
        return target
    }

    /// Merges two paths (RFC 3986 §5.2.3).
    private static func merge(_ base: URIReference, _ path: Substring) -> Substring {
        if base.authority != nil, base.path.isEmpty { return Substring("/" + path) }
        guard let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return Substring(base.path[...slash] + path)
    }

    /// Removes dot segments (RFC 3986 §5.2.4) in one pass: every byte is written once and removed
    /// at most once.
    package static func removingDotSegments(_ path: Substring) -> Substring {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
        let slash = UInt8(ascii: "/")
        var input = Array(path.utf8)[...]
        var output: [UInt8] = []
        output.reserveCapacity(input.count)
        while let first = input.first {
            let isRooted = first == slash
            let start = input.startIndex + (isRooted ? 1 : 0)
            let end = input[start...].firstIndex(of: slash) ?? input.endIndex
            let segment = input[start..<end]
            guard segment.count <= 2, !segment.isEmpty,
                segment.allSatisfy({ $0 == UInt8(ascii: ".") })
            else {
                output += input[..<end]
                input = input[end...]
                continue
            }
            if isRooted, segment.count == 2 {
                output.removeSubrange((output.lastIndex(of: slash) ?? 0)...)
            }
            if end == input.endIndex {
                if isRooted { output.append(slash) }
                input = []
            } else {
                input = input[(isRooted ? end : end + 1)...]
            }
        }
        return Substring(decoding: output, as: UTF8.self)
    }
}
