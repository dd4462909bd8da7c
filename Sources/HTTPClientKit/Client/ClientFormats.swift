import HTTPCore
import HTTPFormats
import PortableFoundation

/// The formats that the conveniences of a client use where the caller names none.
struct ClientFormats: Sendable {
    var decoder: JSONDecoder
    var encoder: JSONEncoder
    var queryEncoding = QueryEncoding()

    /// The formats of a session that has none of its own.
    static var standard: Self { Self(decoder: JSONDecoder(), encoder: .sortedJSON) }

    /// The decoder as the default of responses; `nil` if it is like a new one, so that most calls
    /// need not carry it.
    let defaultDecoder: JSONDecoder?

    init(
        decoder: JSONDecoder, encoder: JSONEncoder, queryEncoding: QueryEncoding = QueryEncoding()
    ) {
        self.decoder = decoder
        self.encoder = encoder
        self.queryEncoding = queryEncoding
        defaultDecoder = decoder.isStandard ? nil : decoder
    }
}

// MARK: - Coders as values

// A coder is an object: without a copy, a change to it would change the calls of a client that is
// in use, and of the clients that were derived from it. A subclass cannot be copied, and is shared.

extension JSONDecoder {
    /// A decoder with the same settings.
    package var copy: JSONDecoder {
        guard type(of: self) == JSONDecoder.self else { return self }
        let copy = JSONDecoder()
        copy.dateDecodingStrategy = dateDecodingStrategy
        copy.dataDecodingStrategy = dataDecodingStrategy
        copy.nonConformingFloatDecodingStrategy = nonConformingFloatDecodingStrategy
        copy.keyDecodingStrategy = keyDecodingStrategy
        copy.userInfo = userInfo
        copy.allowsJSON5 = allowsJSON5
        // Setting it, also to `false`, leaves an entry in `userInfo` on Linux.
        if assumesTopLevelDictionary { copy.assumesTopLevelDictionary = true }
        return copy
    }

    /// `true` if no setting differs from those of a new decoder.
    fileprivate var isStandard: Bool {
        guard type(of: self) == JSONDecoder.self, userInfo.isEmpty, !allowsJSON5,
            !assumesTopLevelDictionary, case .useDefaultKeys = keyDecodingStrategy,
            case .deferredToDate = dateDecodingStrategy, case .base64 = dataDecodingStrategy,
            case .throw = nonConformingFloatDecodingStrategy
        else { return false }
        return true
    }
}

extension JSONEncoder {
    /// An encoder with the same settings.
    package var copy: JSONEncoder {
        guard type(of: self) == JSONEncoder.self else { return self }
        let copy = JSONEncoder()
        copy.outputFormatting = outputFormatting
        copy.dateEncodingStrategy = dateEncodingStrategy
        copy.dataEncodingStrategy = dataEncodingStrategy
        copy.nonConformingFloatEncodingStrategy = nonConformingFloatEncodingStrategy
        copy.keyEncodingStrategy = keyEncodingStrategy
        copy.userInfo = userInfo
        return copy
    }
}
