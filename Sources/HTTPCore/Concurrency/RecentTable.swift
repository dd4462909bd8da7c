/// The values of the texts that were asked for last, such as what a URL was parsed to, so that each
/// is made once.
///
/// The texts may hold secrets. They are kept only here, until the table is closed or gone, and
/// never shown.
package final class RecentTable<Value: AnyObject & Sendable>: Sendable {
    @usableFromInline struct State {
        @usableFromInline var last: (text: String, value: Value)?
        /// The newer ones, and those that were the newer ones before. Each text that is used moves
        /// to the newer ones.
        @usableFromInline var newer: [String: Value] = [:]
        @usableFromInline var older: [String: Value] = [:]
        @usableFromInline var isClosed = false

        @inlinable mutating func value(for text: String) -> Value? {
            if let last, last.text == text { return last.value }
            if let value = newer[text] {
                last = (text, value)
                return value
            }
            guard let value = older[text] else { return nil }
            keep(value, for: text)
            return value
        }

        @inlinable mutating func keep(_ value: Value, for text: String) {
            guard !isClosed else { return }
            last = (text, value)
            if newer.count >= RecentTable.limit / 2 {
                older = newer
                newer = [:]
            }
            newer[text] = value
        }
    }

    /// The maximum number of texts.
    package static var limit: Int { 128 }
    /// The maximum length of a text that is kept, in UTF-8 bytes.
    package static var lengthLimit: Int { 8 << 10 }

    @usableFromInline let state = Locked(State())
    @usableFromInline let waits: Bool

    /// - Parameter waits: `false` for a table of the whole process, which does not know a text, and
    ///   does not keep it, while another thread uses the table.
    package init(waits: Bool = true) { self.waits = waits }

    @inlinable package func value(for text: String) -> Value? {
        reach { $0.value(for: text) } ?? nil
    }

    @inlinable package func keep(_ value: Value, for text: String) {
        guard text.utf8.count <= Self.lengthLimit else { return }
        _ = reach { $0.keep(value, for: text) }
    }

    @inlinable func reach<Result>(_ body: (inout State) -> Result) -> Result? {
        waits ? state.withLock(body) : state.withLockIfFree(body)
    }

    /// Forgets all values, and keeps none from now on.
    package func close() { state.withLock { $0 = State(isClosed: true) } }
}
