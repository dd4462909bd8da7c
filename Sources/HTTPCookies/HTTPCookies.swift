// HTTPCookies.swift (comments only, as HTTPCore.swift)
