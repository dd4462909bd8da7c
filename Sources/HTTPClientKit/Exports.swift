@_exported public import HTTPCaching
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
