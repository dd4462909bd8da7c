// HTTPTesting.swift (comments only, as HTTPCore.swift)
//
// What a test of code that calls HTTP needs: a session that answers with a closure, a clock that
// moves when told, and a server whose every octet is scripted.
//
// Never here: a test framework (any will do), a real sleep, anything beyond this machine.
//
// Read `MockSession` for a test without a network, `HTTPTestClock` for one with time in it, then
// `Loopback/LoopbackServer` for one that needs a wire: framing, pieces, stalls and resets.
