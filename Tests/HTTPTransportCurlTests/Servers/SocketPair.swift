import PortableLibc
import Testing

/// Both ends of a connection, which are the test's.
struct SocketPair: ~Copyable {
    let near: Int32
    let far: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        let code = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        try #require(code == 0)
        (near, far) = (ends[0], ends[1])
    }

    deinit {
        close(near)
        close(far)
    }

    func send() { _ = unsafe write(far, "x", 1) }
}
