@_exported public import HTTPCaching
@_exported public import HTTPCodings
@_exported public import HTTPCookies
@_exported public import HTTPCore
@_exported public import HTTPFormats
@_exported public import HTTPMiddleware
@_exported public import HTTPRetry
@_exported public import HTTPValidation

#if os(Linux)
    @_exported public import HTTPTransportCurl
#else
    @_exported public import HTTPTransportURLSession
#endif

// The types of Foundation in this API, so that a program needs no import of its own for them.
#if canImport(FoundationEssentials)
    @_exported public import struct FoundationEssentials.Data
    @_exported public import struct FoundationEssentials.Date
    @_exported public import class FoundationEssentials.JSONDecoder
    @_exported public import class FoundationEssentials.JSONEncoder
    @_exported public import struct FoundationEssentials.URL
#else
    @_exported public import struct Foundation.Data
    @_exported public import struct Foundation.Date
    @_exported public import class Foundation.JSONDecoder
    @_exported public import class Foundation.JSONEncoder
    @_exported public import struct Foundation.URL
#endif
