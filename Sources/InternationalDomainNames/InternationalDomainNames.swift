// InternationalDomainNames.swift (no declarations)
//
// The mapping of host names that are not all ASCII (UTS 46), with its tables. No product: HTTPCore
// uses it for such hosts only, and HTTPFormats its packed numbers for the tables of charsets.
//
// Read `InternationalDomainName`, then `ScalarMapping`, `Normalization` and `Punycode`.
