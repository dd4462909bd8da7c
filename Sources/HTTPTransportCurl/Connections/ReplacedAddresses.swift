/// The addresses that sockets lead to which have taken the place of sockets of libcurl. See
/// ``AddressRace``.
struct ReplacedAddresses {
    /// The addresses of all such sockets that have the local port that was asked for. There may be
    /// several: one port may be used for connections to several places.
    var candidates: [IPAddress] = []
    /// The one whose socket was made for the lane that was asked for.
    var ofLane: IPAddress?
}
