/// The decoding of a response's content, which libcurl does.
struct ContentDecoding {
    /// `true` if the transport asks for codings and decodes what comes.
    let isAsked: Bool
    /// `true` if the body is decoded, so that it is longer than on the wire.
    private(set) var isActive = false
    /// The content coding that is decoded, in lower case.
    private(set) var coding: String?
    var slice = DecodingSlice()
    /// libcurl's count of the bytes read when it delivered the last decoded piece.
    var codedAtLastPiece: Int64 = 0

    init(isAsked: Bool) { self.isAsked = isAsked }

    mutating func begin(_ coding: String?) {
        isActive = true
        self.coding = coding
    }

    /// The response is not the final one: another one follows.
    mutating func startAgain() {
        isActive = false
        coding = nil
    }
}
