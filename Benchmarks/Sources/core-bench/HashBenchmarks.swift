import CReference
import HTTPCore
import HTTPHashing

/// SHA-256 compared with a plain implementation in C. Neither uses the processor's SHA
/// instructions.
enum HashBenchmarks {
    static var all: [Comparison] { [Comparison(name: "SHA-256", benchmarks: benchmarks)] }

    private static var benchmarks: [Benchmark] {
        let bytes = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        return [
            Benchmark("plain C", .bytes(bytes.count)) { passes in
                var sum = 0
                for _ in 0..<passes { sum &+= Int(plainC(bytes)[0]) }
                return sum
            },
            Benchmark("SHA256", .bytes(bytes.count)) { passes in
                var sum = 0
                for _ in 0..<passes { sum &+= Int(SHA256.hash(bytes)[0]) }
                return sum
            },
        ]
    }

    private static func plainC(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe digest.withUnsafeMutableBufferPointer { digest in
                guard let digest = digest.baseAddress else { return }
                unsafe reference_sha256(start, bytes.count, digest)
            }
        }
        return digest
    }
}
