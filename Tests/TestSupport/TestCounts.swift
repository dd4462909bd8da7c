import PortableLibc

/// The size of the tests that need size: a tenth, unless `HTTP_TEST_COUNTS` is `full`.
package enum TestCounts {
    package static let isFull =
        unsafe getenv("HTTP_TEST_COUNTS").map { unsafe String(cString: $0) } == "full"

    package static func scaled(_ count: Int) -> Int { isFull ? count : count / 10 }
}
