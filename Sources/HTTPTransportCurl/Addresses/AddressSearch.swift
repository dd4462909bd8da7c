import CHTTPTransportCurl
import HTTPCore

/// A look-up of a host by the system, which blocks a thread of its own.
///
/// It is needed only where connecting takes long: libcurl does not tell which addresses it knows.
final class AddressSearch: Sendable {
    private let host: String
    private let family: Int32
    /// The look-up may outlive the loop.
    private weak let loop: (any ExchangeLoop)?

    /// The maximum number of addresses.
    private static let limit = 64

    init(_ host: String, _ family: CurlConfiguration.AddressFamily, _ loop: any ExchangeLoop) {
        self.host = host
        self.family =
            switch family {
            case .any: 0
            case .ipv4: 4
            case .ipv6: 6
            }
        self.loop = loop
    }

    /// Begins the search. The loop is told of its end.
    func start() {
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        let error = unsafe chttp_thread_start(
            { context in
                // Balances passRetained.
                unsafe Unmanaged<AddressSearch>.fromOpaque(context).takeRetainedValue().run()
            }, context, "http-lookup")
        guard error != 0 else { return }
        unsafe Unmanaged<AddressSearch>.fromOpaque(context).release()
        _ = loop?.post(.found([], of: host))
    }

    private func run() {
        var found = [chttp_address](repeating: chttp_address(), count: Self.limit)
        let count = unsafe found.withUnsafeMutableBufferPointer { found in
            guard let base = found.baseAddress else { return Int32(0) }
            return unsafe chttp_find_addresses(host, family, base, Int32(found.count))
        }
        _ = loop?.post(.found(found.prefix(Int(count)).compactMap { IPAddress($0) }, of: host))
    }
}
