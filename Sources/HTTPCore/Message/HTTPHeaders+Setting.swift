extension HTTPHeaders {
    /// The value of the first field of that name. Setting it replaces all fields of that name with
    /// one field, at the position of the first. Setting `nil` removes them.
    ///
    /// - Complexity: O(*n*) in the number of fields; one small integer is compared per field.
    public subscript(name: HTTPHeaderName) -> String? {
        get { firstIndex(of: name).map { value(of: entries[$0]) } }
        set {
            guard let newValue else { return remove(name) }
            do throws(HTTPError) { try set(name, newValue) } catch { refuse(name) }
        }
    }

    /// The values of all fields of that name, in the order in which they are sent.
    public subscript(values name: HTTPHeaderName) -> [String] {
        get { entries.filter { matches($0, name) }.map(value(of:)) }
        set {
            remove(name)
            for value in newValue {
                do throws(HTTPError) { try append(name, value) } catch { refuse(name) }
            }
        }
    }

    /// Adds a field after all others.
    ///
    /// - Throws: `invalidRequest` naming the field if its name is not a token, or its value holds a
    ///   control character other than tab, begins or ends with a blank, or has more than 16 MiB.
    public mutating func append(_ name: HTTPHeaderName, _ value: String) throws(HTTPError) {
        let sensitivity = sensitivity(ofNew: name)
        let flaw = value.withBytes { value -> FieldFlaw? in
            if let flaw = FieldFlaw(name, value) { return flaw }
            appendBytes(name, value, sensitivity)
            return nil
        }
        if let flaw { throw flaw.error(of: name) }
    }

    /// Adds all fields of another section after these, byte for byte. A field that is sensitive in
    /// the other section remains so, including marks of ``setSensitive(_:_:)``. `refusedName` is
    /// also copied if this section has none.
    public mutating func append(contentsOf other: HTTPHeaders) {
        if let name = other.refusedName { refuse(name) }
        let offset = UInt32(truncatingIfNeeded: bytes.count)
        let joining = other.entries.map { entry in
            var joining = entry
            joining.nameStart += offset
            joining.valueStart += offset
            if hasMarks, sensitivity(ofNew: other.name(of: entry)) == .sensitive {
                joining.sensitivity = .sensitive
            }
            return joining
        }
        bytes += other.bytes
        entries += joining
        hasMarks = hasMarks || other.hasMarks
    }

    /// Replaces all fields of that name with one field, at the position of the first.
    ///
    /// - Throws: The errors of ``append(_:_:)``.
    public mutating func set(_ name: HTTPHeaderName, _ value: String) throws(HTTPError) {
        guard contains(name) else { return try append(name, value) }
        let sensitivity = sensitivity(ofNew: name)
        let flaw = value.withBytes { value -> FieldFlaw? in
            if let flaw = FieldFlaw(name, value) { return flaw }
            replaceAll(name) { $0.appendBytes(name, value, sensitivity) }
            return nil
        }
        if let flaw { throw flaw.error(of: name) }
    }

    /// Removes all fields of that name.
    public mutating func remove(_ name: HTTPHeaderName) {
        if firstIndex(of: name) != nil { replaceAll(name) { _ in } }
    }

    /// Removes all fields of that name, and calls `new` to write a field at the position of the
    /// first.
    ///
    /// Writes all bytes again, because the bytes of a replaced secret must not remain in memory.
    private mutating func replaceAll(_ name: HTTPHeaderName, with new: (inout Self) -> Void) {
        let old = self
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        var isReplaced = false
        for entry in old.entries {
            if old.matches(entry, name) {
                if !isReplaced { new(&self) }
                isReplaced = true
            } else {
                appendBytes(
                    old.bytes.span.extracting(entry.nameRange),
                    old.bytes.span.extracting(entry.valueRange),
                    fold: entry.fold, entry.sensitivity)
            }
        }
    }

    /// Returns the sensitivity of a new field. It takes the marks of the fields with the same name;
    /// one sensitive field makes it sensitive.
    private func sensitivity(ofNew name: HTTPHeaderName) -> Sensitivity {
        guard hasMarks else { return .asNamed }
        let present = entries.filter { matches($0, name) }.map(\.sensitivity)
        return present.contains(.sensitive) ? .sensitive : present.first ?? .asNamed
    }

    package mutating func refuse(_ name: HTTPHeaderName) {
        if refusedName == nil { refusedName = name }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates a section in the literal's order, including repeated names.
    public init(dictionaryLiteral elements: (HTTPHeaderName, String)...) {
        for (name, value) in elements {
            do throws(HTTPError) { try append(name, value) } catch { refuse(name) }
        }
    }
}
