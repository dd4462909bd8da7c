/// The connection that an exchange uses, as far as it is known.
enum ConnectionUse: Equatable {
    case none
    /// A connection that is not known until its socket is watched.
    case unidentified
    case identified(KeptConnections.ID)

    var id: KeptConnections.ID? { if case .identified(let id) = self { id } else { nil } }
}
