// HTTPTesting.swift (comments only, as HTTPCore.swift)
//
// What a test of code that calls HTTP needs: sessions that answer by a closure, by stubs or from a
// recording, faults by seed, a clock that moves when told, and a server whose every byte is scripted.
//
// And what every transport owes its callers, as cases that yours can run.
//
// Never here: a test framework (any will do), a real sleep, anything beyond this machine.
//
// Read `MockSession` and `Stubs/StubSession` for a test without a network, `Recording/RecordingMode` for
// one that had it once, `HTTPTestClock` for one with time in it, `Faults/FaultSession` for one that is
// to survive; then `Loopback/LoopbackServer` and `Faults/FaultRelay` for one that needs a wire.
// `Conformance/TransportConformance` is for a transport of your own.
