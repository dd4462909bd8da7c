// HTTPTesting.swift (comments only, like HTTPCore.swift)
//
// Tools for testing code that uses HTTP: sessions that respond from a closure, from stubs or from a
// recording, faults drawn from a seed, a clock that the test advances, and a server whose every
// byte is scripted. Also a conformance suite for transports, as cases that your own transport can
// run.
//
// Never here: a test framework (any will do), a real sleep, anything beyond this machine.
//
// Read `Mocks/MockSession` and `Stubs/StubSession` for tests without a network,
// `Recording/RecordingMode` for tests that replay recorded exchanges, `HTTPTestClock` for tests
// that depend on time, and `Faults/FaultSession` for tests of error handling. Then read
// `Loopback/Server/LoopbackServer` and `Faults/FaultRelay` for tests that need a connection. A new
// kind of stub is a static function of `StubMatcher` (a condition) or `StubAnswer` (a response).
// The format of recordings is in `Recording/Recording+JSON` alone.
// `Conformance/TransportConformance` is for a transport of your own.
//
// Folders, each refers only to those after it: Conformance, Conformance/Cases, Conformance/Exam,
// Faults/Relay, Stubs, Recording, Faults, Mocks, Loopback/Server, Loopback/Wire, Loopback.
