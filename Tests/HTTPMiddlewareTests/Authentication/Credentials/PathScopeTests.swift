import Testing

@testable import HTTPMiddleware

@Suite struct PathScopeTests {
    @Test(arguments: [
        ("/a", "/a", true), ("/a", "/a?q", true), ("/a", "/a/b", true), ("/a", "/ab", false),
        ("/a", "/", false), ("/a/", "/a/b", true), ("/a/", "/a", false), ("/", "/x", true),
        ("a", "/a/b", true), ("", "/x?/y", true), ("/a", "/b?/a/", false), ("/A", "/a", false),
    ]) func `a scope holds whole segments`(scope: String, path: String, isHeld: Bool) {
        #expect(PathScope(scope).contains(path) == isHeld)
    }

    @Test(arguments: [
        ("/a/b", "/a/c", true), ("/a/b?x=/y/", "/a/c", true), ("/a/b?x=/y/", "/a/b", true),
        ("/a/b", "/b", false), ("/a/", "/a/b/c", true), ("/", "/x", true),
    ]) func `around a path is its folder`(path: String, other: String, isHeld: Bool) {
        #expect(PathScope(around: path).contains(other) == isHeld)
    }
}
