// One program with all targets; the environment variable FUZZ_TARGET says which one runs. Without a
// target's name in it the program prints their names. libFuzzer's runtime holds `main` and calls the two
// functions here.
//
// A target knows only the public API. It looks for more than crashes: it holds the library to laws
// (what is written reads back equal, how bytes are cut changes nothing, limits hold), and a broken
// one ends the program with a sentence that says which.

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
