// HTTPHashing.swift (no declarations)
//
// Hash functions for digests, signatures, pins and keys. No product: `HTTPDigest` in HTTPFormats is
// the public face.
//
// Read `Hashing`, then `SHA256`.
