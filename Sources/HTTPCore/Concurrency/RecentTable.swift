/// The values of the texts that were asked for last, such as what a URL was parsed to, so that each
/// is made once.
///
/// The texts may hold secrets. They are kept only here, at most until the table is closed or gone,
/// and never shown.
package final class RecentTable<Value: AnyObject & Sendable>: Sendable {
    @usableFromInline struct State {
        @usableFromInline var last: (text: String, value: Value)?
        /// The newer ones, and those that were the newer ones before. Each text that is used moves
        /// to the newer ones.
        @usableFromInline var newer: [String: Value] = [:]
        @usableFromInline var older: [String: Value] = [:]
        @usableFromInline var isClosed = false

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

    package init() {}

    @inlinable package func value(for text: String) -> Value? {
        state.withLock { state in
            if let last = state.last, last.text == text { return last.value }
            if let value = state.newer[text] {
                state.last = (text, value)
                return value
            }
            guard let value = state.older[text] else { return nil }
            state.keep(value, for: text)
            return value
        }
    }

    @inlinable package func keep(_ value: Value, for text: String) {
        guard text.utf8.count <= Self.lengthLimit else { return }
        state.withLock { $0.keep(value, for: text) }
    }

    /// Forgets all values, and keeps none from now on.
    package func close() { state.withLock { $0 = State(isClosed: true) } }
}
