import HTTPCore
import HTTPFormats
import TestSupport
import Testing

@Suite struct CacheControlTests {
    // MARK: Directives

    @Test(.rows("B-4"))
    func `directives are read, folded and written`() {
        let cacheControl = CacheControl(
            "Max-Age=60, , private=\"Set-Cookie, x\" ,no-store, foo=Bar")
        #expect(
            cacheControl.description
                == "max-age=60, private=\"Set-Cookie, x\", no-store, foo=Bar")
        #expect(cacheControl.maxAge == .seconds(60))
        #expect(cacheControl.isPrivate)
        #expect(cacheControl.noStore)
        #expect(!cacheControl.noCache)
        #expect(cacheControl.argument(of: "FOO") == "Bar")
        #expect(CacheControl(cacheControl.description) == cacheControl)
    }

    @Test(
        arguments: [
            ("max-age=5", 5), ("max-age=\"5\"", 5), ("max-age=5, max-age=10", 5),
            ("max-age=99999999999999999999", 2_147_483_648), ("max-age=", 0), ("max-age", 0),
            ("max-age=foo", 0), ("max-age=-1", 0), ("max-age=1.5", 0), ("max-age=5 6", 0),
            ("max-age=\"5", 0), ("max-age = 5", 0), ("x=\"max-age=5\"", nil), ("", nil),
        ] as [(String, Int?)])
    func `an age that cannot be read is zero, the first counts`(text: String, seconds: Int?) {
        #expect(CacheControl(text).maxAge == seconds.map { .seconds($0) })
    }

    @Test(.rows("B-4"))
    func `what is absent or unreadable is taken carefully`() {
        let infinity = Duration.seconds(2_147_483_648)
        #expect(CacheControl("max-stale").maxStale == infinity)
        #expect(CacheControl("max-stale=x").maxStale == .zero)
        #expect(CacheControl("max-stale=7").maxStale == .seconds(7))
        #expect(CacheControl("min-fresh=x").minFresh == infinity)
        #expect(CacheControl("stale-if-error=x").staleIfError == .zero)
        #expect(CacheControl("stale-while-revalidate=9").staleWhileRevalidate == .seconds(9))
    }

    @Test(
        arguments: [
            ("no-store=", "no-store=\"\""), ("no-store garbage", "no-store"),
            ("@, no-store", "no-store"),
            ("\"a, no-cache\", no-store", "no-store"), ("no-store, \"a", "no-store"),
        ])
    func `garbage costs its member, never a restriction`(text: String, written: String) {
        let cacheControl = CacheControl(text)
        #expect(cacheControl.noStore)
        #expect(cacheControl.description == written)
    }

    @Test(.rows("B-4"))
    func `every directive is set, replaced and removed`() {
        var cacheControl = CacheControl()
        let flags: [(WritableKeyPath<CacheControl, Bool>, String)] = [
            (\.noStore, "no-store"), (\.noCache, "no-cache"), (\.isPrivate, "private"),
            (\.isPublic, "public"), (\.mustRevalidate, "must-revalidate"),
            (\.mustUnderstand, "must-understand"), (\.onlyIfCached, "only-if-cached"),
            (\.isImmutable, "immutable"),
        ]
        for (flag, name) in flags {
            cacheControl[keyPath: flag] = true
            #expect(cacheControl[keyPath: flag])
            #expect(cacheControl.description == name)
            cacheControl[keyPath: flag] = false
            #expect(cacheControl.directives.isEmpty)
        }
        let ages: [(WritableKeyPath<CacheControl, Duration?>, String)] = [
            (\.maxAge, "max-age"), (\.maxStale, "max-stale"),
            (\.minFresh, "min-fresh"), (\.staleWhileRevalidate, "stale-while-revalidate"),
            (\.staleIfError, "stale-if-error"),
        ]
        for (age, name) in ages {
            cacheControl[keyPath: age] = .milliseconds(61_500)
            #expect(cacheControl.description == "\(name)=61")
            cacheControl[keyPath: age] = .seconds(Int64.max)
            #expect(cacheControl.description == "\(name)=2147483648")
            cacheControl[keyPath: age] = .seconds(-5)
            #expect(cacheControl[keyPath: age] == .zero)
            cacheControl[keyPath: age] = nil
            #expect(cacheControl.directives.isEmpty)
        }
    }

    @Test(.rows("B-4"))
    func `setting replaces all of a name in the first one's place`() {
        var cacheControl = CacheControl("a=1, b, a=2")
        cacheControl.set("A", "x y")
        #expect(cacheControl.description == "a=\"x y\", b")
        cacheControl.set("not a token")
        cacheControl.set("c", "\r\n")
        #expect(cacheControl.description == "a=\"x y\", b")
    }
}
