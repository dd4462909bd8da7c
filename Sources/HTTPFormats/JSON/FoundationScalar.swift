import HTTPCore

#if canImport(FoundationEssentials)
    // FoundationEssentials has none of the classes.
#else
    import Foundation
#endif

/// A number, a boolean or a null of Foundation, as `JSONSerialization` creates them.
///
/// A cast cannot tell them apart: an `NSNumber` of 0 or 1 also casts to `Bool`, and `NSNull` casts
/// to no type that has a value. If Foundation is not imported, they are recognised by the names of
/// their classes.
enum FoundationScalar: Hashable {
    case null
    case bool(Bool)
    /// All digits of the number, as in its description; or `inf` or `nan`.
    case number(String)

    init?(_ value: Any) {
        // Values bridge to objects, too; only what is already an object is meant.
        guard type(of: value) is AnyClass else { return nil }
        #if canImport(FoundationEssentials)
            switch String(reflecting: type(of: value)) {
            case "Foundation.NSNull": self = .null
            case "Foundation.__NSCFBoolean":
                guard let bool = value as? Bool else { return nil }
                self = .bool(bool)
            case "Foundation.NSNumber", "Foundation.NSDecimalNumber": self = .number("\(value)")
            default: return nil
            }
        #else
            switch value {
            case is NSNull: self = .null
            case let decimal as NSDecimalNumber: self = .number(decimal.description)
            case let number as NSNumber:
                switch unsafe String(cString: number.objCType) {
                case _ where CFGetTypeID(number) == CFBooleanGetTypeID():
                    self = .bool(number.boolValue)
                case "d": self = .number("\(number.doubleValue)")
                case "f": self = .number("\(number.floatValue)")
                default: self = .number(number.stringValue)
                }
            default: return nil
            }
        #endif
    }
}
