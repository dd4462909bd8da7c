import HTTPCore
import TestSupport
import Testing

@testable import HTTPTransportCurl

@Suite struct SocketTableTests {
    private typealias Change = SocketTable.Change

    private static func change(_ descriptor: Int32, _ previous: Int32, _ interest: Int32) -> Change
    {
        Change(descriptor: descriptor, previous: previous, interest: interest)
    }

    @Test(arguments: [1, 2, 3] as [Int32])
    func `a first interest is registered and an unchanged one is not`(interest: Int32) {
        var table = SocketTable()
        table.opened(7)
        #expect(table.want(7, interest) == Self.change(7, 0, interest))
        #expect(table.want(7, interest) == nil)
        #expect(table.ready(7) == .report(0))
    }

    @Test func `the last to ask is told`() {
        var table = SocketTable()
        table.opened(7)
        _ = table.want(7, 1, in: 3)
        #expect(table.ready(7) == .report(3))
        table.closed(7)
        table.opened(7)
        _ = table.want(7, 1, in: 1)
        #expect(table.ready(7) == .report(1))
    }

    @Test func `a changed interest tells what was there before`() {
        var table = SocketTable()
        table.opened(7)
        #expect(table.want(7, 2) == Self.change(7, 0, 2))
        #expect(table.want(7, 1) == Self.change(7, 2, 1))
        #expect(table.want(7, 3) == Self.change(7, 1, 3))
    }

    @Test func `a kept connection costs no change between two requests`() {
        var table = SocketTable()
        table.opened(7)
        _ = table.want(7, 1)
        for _ in 0..<3 {
            #expect(table.want(7, 0) == nil)
            #expect(table.want(7, 1) == nil)
        }
        #expect(table.ready(7) == .report(0))
    }

    @Test func `a kept connection that turns ready while unwanted is taken out once`() {
        var table = SocketTable()
        table.opened(7)
        _ = table.want(7, 1)
        _ = table.want(7, 0)
        #expect(table.ready(7) == .ignore(Self.change(7, 1, 0)))
        #expect(table.ready(7) == .ignore(nil))
        #expect(table.want(7, 1) == Self.change(7, 0, 1))
    }

    @Test(arguments: [2, 3] as [Int32])
    func `a socket last watched for writing is taken out at once`(interest: Int32) {
        var table = SocketTable()
        table.opened(7)
        _ = table.want(7, interest)
        #expect(table.want(7, 0) == Self.change(7, interest, 0))
        #expect(table.ready(7) == .ignore(nil))
    }

    @Test(arguments: [2, 3] as [Int32])
    func `one that has carried a response is watched for reading from then on`(interest: Int32) {
        var table = SocketTable()
        table.opened(7)
        _ = table.want(7, interest)
        #expect(table.want(7, 0, watchesIdle: true) == Self.change(7, interest, 1))
        #expect(table.want(7, 1) == nil)
        #expect(table.want(7, 0, watchesIdle: true) == nil)
    }

    @Test(arguments: [1, 2, 3] as [Int32])
    func `the resolver's descriptors are taken out at once`(interest: Int32) {
        var table = SocketTable()
        #expect(table.want(9, interest) == Self.change(9, 0, interest))
        #expect(table.want(9, 0) == Self.change(9, interest, 0))
        #expect(table.want(9, interest) == Self.change(9, 0, interest))
    }

    @Test func `a closed socket's number starts anew`() {
        var table = SocketTable()
        table.opened(7)
        _ = table.want(7, 1)
        _ = table.want(7, 0)
        table.closed(7)
        #expect(table.ready(7) == .ignore(nil), "a late event of the old socket")
        table.opened(7)
        #expect(table.want(7, 1) == Self.change(7, 0, 1))
    }

    @Test func `a number opened again without a close starts anew`() {
        var table = SocketTable()
        table.opened(7)
        _ = table.want(7, 1)
        table.opened(7)
        #expect(table.want(7, 1) == Self.change(7, 0, 1))
    }

    @Test func `a resolver's descriptor with a closed socket's number is not taken for ours`() {
        var table = SocketTable()
        table.opened(7)
        _ = table.want(7, 1)
        _ = table.want(7, 0)
        table.closed(7)
        #expect(table.want(7, 1) == Self.change(7, 0, 1))
        #expect(table.want(7, 0) == Self.change(7, 1, 0))
    }

    /// libcurl before 8.2 closes a socket that never connected without telling.
    @Test func `the number of a socket that never connected is not taken for ours later`() {
        var table = SocketTable()
        table.opened(7)
        #expect(table.want(7, 2) == Self.change(7, 0, 2))
        #expect(table.want(7, 0) == Self.change(7, 2, 0))
        // Closed without a word; the resolver gets the number, and closes it without a word, too.
        #expect(table.want(7, 1) == Self.change(7, 0, 1))
        #expect(table.want(7, 0) == Self.change(7, 1, 0))
        #expect(table.want(7, 1) == Self.change(7, 0, 1))
    }

    @Test(arguments: [-1, 7, 5000] as [Int32])
    func `an unknown descriptor is ignored`(descriptor: Int32) {
        var table = SocketTable()
        #expect(table.ready(descriptor) == .ignore(nil))
        table.closed(descriptor)
        #expect(table.want(descriptor, 0) == nil)
    }

    /// The law of the table: what the kernel was told is what is wanted, or more only where lazy.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `what the poller watches follows what is wanted`(seed: UInt64) {
        var random = SeededRandom(seed)
        var table = SocketTable()
        var kernel: [Int32: Int32] = [:]
        var wanted: [Int32: Int32] = [:]
        var ours: Set<Int32> = []
        func apply(_ change: Change?) {
            guard let change else { return }
            #expect(kernel[change.descriptor] ?? 0 == change.previous)
            kernel[change.descriptor] = change.interest == 0 ? nil : change.interest
        }
        for _ in 0..<2000 {
            let descriptor = Int32.random(in: 3..<10, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                table.closed(descriptor)
                (kernel[descriptor], wanted[descriptor]) = (nil, nil)
                ours.remove(descriptor)
            case 1 where wanted[descriptor] ?? 0 == 0 && kernel[descriptor] == nil:
                table.opened(descriptor)
                ours.insert(descriptor)
            case 2, 3:
                switch table.ready(descriptor) {
                case .report: #expect(wanted[descriptor] ?? 0 != 0)
                case .ignore(let change):
                    #expect(wanted[descriptor] ?? 0 == 0)
                    apply(change)
                    #expect(kernel[descriptor] == nil)
                }
            default:
                let interest = Int32.random(in: 0..<4, using: &random)
                apply(table.want(descriptor, interest))
                wanted[descriptor] = interest
                if interest == 0, let left = kernel[descriptor] {
                    #expect(left == 1 && ours.contains(descriptor))
                } else {
                    #expect(kernel[descriptor] ?? 0 == interest)
                }
            }
        }
    }
}
