// HTTPCookies.swift (comments only, as HTTPCore.swift)
//
// The cookie jar (RFC 6265bis): which cookies of a response are stored, for how long, and to which
// requests they are sent; and the files in which they outlive a program.
//
// The prefixes `__Http-` and `__Host-Http-` are those of the newest draft,
// draft-ietf-httpbis-layered-cookies. Two rules are those of all browsers: loopback hosts are
// secure, and no cookie is shared across a public suffix.
//
// Never here: the enforcement of SameSite, and everything else that needs a page: scripts, frames,
// third-party policies, partitions. A client has no page. Redirects and the origin guard, which
// decide where a request goes at all, are in HTTPMiddleware.
//
// The rules are values, which take the time as an argument and have neither a lock nor a file; the
// jar locks them, and does no more than that.
//
// Read `HTTPCookieJar` and `Cookies`, what a user sees; then `SetCookie` and `CookieStore`, the
// standard; `CookieLocation` and `PublicSuffixList`, what a URL means to them; `CookieJournal` and
// `CookieFile`, how several processes share a file.
//
// Folders, each refers only to those after it: Jar, Files, Rules, PublicSuffixes.
