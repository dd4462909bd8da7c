// One program with all targets. The environment variable FUZZ_TARGET selects the target; without a
// valid name, the program prints the names of all targets. libFuzzer's runtime contains `main` and
// calls the two functions here.
//
// A target looks for more than crashes: it checks laws of the library (written values read back
// equal, the division of the bytes has no effect, limits hold). A broken law ends the program with
// a message that names it.

import FoundationEssentials
import Glibc

@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ argumentCount: UnsafeMutableRawPointer?, _ arguments: UnsafeMutableRawPointer?
) -> CInt {
    guard FuzzTarget.chosen == nil else { return 0 }
    for target in FuzzTarget.all { print(target.name) }
    exit(ProcessInfo.processInfo.environment["FUZZ_TARGET"] == nil ? 0 : 2)
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Data(UnsafeBufferPointer(start: start, count: count))
    FuzzTarget.chosen?.run(bytes)
    return 0
}
