// Foundation's values without the rest of Foundation, where the platform has them apart. No other
// file decides this. A file whose public signatures name one of them says `public import`; no
// product exports this module.

#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
