/// The fields that a body has added to a request.
///
/// The precedence of fields of one name: what the caller sets on the request comes first, whether
/// before or after the body; then what the body adds, here; then a client's defaults
/// (`DefaultHeaders` in HTTPMiddleware). The fields of a body are removed with it, unless the
/// caller has set them since. A multipart body keeps its boundary, also if the caller sets
/// `Content-Type`: see ``HTTPRequest/prepared()``.
@usableFromInline package final class ImpliedFields: Sendable {
    /// A function that returns the `Content-Type` that describes the body, given the request's
    /// current one. Returns `nil` if the current one describes another body, because its boundary
    /// is not the body's.
    package typealias ContentTypeFitting = @Sendable (String?) -> String?

    package let fields: HTTPHeaders
    /// The function for a multipart body, which cannot be read without its `Content-Type`; else
    /// `nil`.
    package let fittingContentType: ContentTypeFitting?

    package init(_ fields: HTTPHeaders, fittingContentType: ContentTypeFitting?) {
        self.fields = fields
        self.fittingContentType = fittingContentType
    }

    func without(_ name: HTTPHeaderName) -> ImpliedFields {
        guard fields.contains(name) else { return self }
        var rest = fields
        rest.remove(name)
        return ImpliedFields(rest, fittingContentType: fittingContentType)
    }

    var withoutFitting: ImpliedFields {
        fittingContentType == nil ? self : ImpliedFields(fields, fittingContentType: nil)
    }
}
