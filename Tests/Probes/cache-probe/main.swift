import HTTPCaching
import HTTPCore
import PortableFoundation
import PortableLibc

// The scenarios of a disk cache that need a process of their own: a program that is killed while it
// stores, and a program that checks what is left.

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch (arguments.first, arguments.count) {
    case ("store", 3):
        try await storeForever(in: arguments[1], seed: UInt64(arguments[2]) ?? 0)
    case ("verify", 2):
        try await verify(arguments[1])
    case ("large", 3):
        try await storeLarge(in: arguments[1], pieces: Int(arguments[2]) ?? 0)
    default:
        print("error=usage: store FOLDER SEED | verify FOLDER | large FOLDER PIECES")
        exit(2)
    }
} catch {
    print("error=\(error)")
    exit(1)
}

/// Stores, replaces, updates and removes responses of a few keys in several tasks, until the
/// process is killed.
func storeForever(in folder: String, seed: UInt64) async throws {
    let store = try HTTPDiskCacheStore(folder: folder, limit: Probe.limit)
    try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
            group.addTask {
                var random = SeededRandom(seed &* 8 &+ UInt64(task))
                for count in 0... {
                    if count == 20 {
                        // The parent may kill this process from now on.
                        print("storing=\(task)")
                        fflush(nil)
                    }
                    try await Probe.act(on: store, &random)
                }
            }
        }
        try await group.waitForAll()
    }
}

/// Checks that every stored response has its own bytes, before and after a sweep.
func verify(_ folder: String) async throws {
    let store = try HTTPDiskCacheStore(folder: folder, limit: Probe.limit)
    for _ in 0..<2 {
        var (responses, wrong, incomplete) = (0, 0, 0)
        for number in 0..<Probe.keys {
            for response in try await store.responses(for: Probe.key(number)) {
                responses += 1
                guard let body = try await store.body(of: response, for: Probe.key(number)) else {
                    incomplete += 1
                    continue
                }
                let bytes = try await body.collect()
                if bytes != Probe.bytes(of: response) { wrong += 1 }
                if response.headers["X-Key"] != "\(number)" { wrong += 1 }
            }
        }
        print("responses=\(responses)\nwrong=\(wrong)\nincomplete=\(incomplete)")
        guard wrong == 0, incomplete == 0 else { throw HTTPError(.internalFailure, "wrong bytes") }
        try await store.sweep()
    }
    print("result=whole")
}

/// Stores and reads one long body, in pieces of 64 KiB, and prints the most memory that it took.
func storeLarge(in folder: String, pieces: Int) async throws {
    let store = try HTTPDiskCacheStore(folder: folder, limit: 16 << 30)
    let response = HTTPStoredResponse(
        id: String(repeating: "1", count: 32), status: .ok, headers: [:],
        requestDate: Date(timeIntervalSince1970: 0), responseDate: Date(timeIntervalSince1970: 0))
    var random = SeededRandom(1)
    let words = (0..<8192).map { _ in random.next() }
    let piece = unsafe words.withUnsafeBytes { unsafe Data($0) }
    guard let writer = try await store.beginStoring(response, for: Probe.key(0), length: nil) else {
        throw HTTPError(.internalFailure, "the store refuses the body")
    }
    for _ in 0..<pieces {
        guard try await writer.append(piece) else {
            throw HTTPError(.internalFailure, "the store refuses a piece")
        }
    }
    guard let stored = try await writer.commit(trailers: nil),
        let body = try await store.body(of: stored, for: Probe.key(0))
    else { throw HTTPError(.internalFailure, "the body is not stored") }
    var count = 0
    for try await read in body {
        guard read == piece else { throw HTTPError(.internalFailure, "wrong bytes") }
        count += 1
    }
    print("pieces=\(count)\npeak_resident_kib=\(peakResident())")
}

/// Returns the peak resident size in KiB, or 0 if the system does not report it.
func peakResident() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
}

enum Probe {
    static let limit: Int64 = 16 << 20
    static let keys = 12

    static func key(_ number: Int) -> HTTPCacheKey {
        HTTPCacheKey(partition: "probe", url: "https://example.com/\(number)")
    }

    /// Returns the bytes that belong to the id of a response.
    static func bytes(of response: HTTPStoredResponse) -> Data {
        var random = SeededRandom(UInt64(response.id.suffix(16), radix: 16) ?? 0)
        let length = [0, 700, 16_384, 16_385, 65_536, 400_000][Int(random.next() % 6)]
        let words = (0..<(length + 7) / 8).map { _ in random.next() }
        return unsafe words.withUnsafeBytes { unsafe Data($0.prefix(length)) }
    }

    static func act(on store: HTTPDiskCacheStore, _ random: inout SeededRandom) async throws {
        let number = Int(random.next() % UInt64(keys))
        let key = key(number)
        switch random.next() % 16 {
        case 0: try await store.remove(key)
        case 1:
            guard var response = try await store.responses(for: key).first else { return }
            response.responseDate += 1
            try await store.update(response, for: key)
        default:
            let digits = String(random.next() | 1 << 63, radix: 16)
            let response = HTTPStoredResponse(
                id: String(repeating: "0", count: 16) + digits, status: .ok,
                headers: ["X-Key": "\(number)"], variant: "\(random.next() % 3)",
                requestDate: Date(timeIntervalSince1970: 0),
                responseDate: Date(timeIntervalSince1970: 0))
            let writer = try await store.beginStoring(response, for: key, length: nil)
            guard let writer else { return }
            var rest = bytes(of: response)[...]
            while !rest.isEmpty {
                guard try await writer.append(Data(rest.prefix(30_000))) else { return }
                rest = rest.dropFirst(30_000)
            }
            if random.next() % 8 == 0 {
                writer.abandon()
            } else {
                _ = try await writer.commit(trailers: nil)
            }
        }
    }
}
