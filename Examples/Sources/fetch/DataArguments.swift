import ArgumentParser
import HTTPClientKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The arguments for the data of a request: for a form, as JSON, as a multipart form, or a file.
struct DataArguments: ParsableArguments {
    @Option(
        name: [.customShort("d"), .long, .customLong("data-ascii")],
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            Data to send: text, or @FILE without its line ends; @- is standard input. Several are \
            joined with &. The content type is application/x-www-form-urlencoded unless -H says \
            otherwise.
            """, valueName: "text|@file"),
        transform: { DataPiece(.text, $0) })
    var data: [DataPiece] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("The same as --data, but @ has no meaning.", valueName: "text"),
        transform: { DataPiece(.raw, $0) })
    var dataRaw: [DataPiece] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "The same as --data, but files are sent as they are.", valueName: "text|@file"),
        transform: { DataPiece(.binary, $0) })
    var dataBinary: [DataPiece] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            The same as --data, encoded for a form: text, =text, name=text, @file or name@file.
            """, valueName: "name=text"),
        transform: { DataPiece(.encoded, $0) })
    var dataUrlencode: [DataPiece] = []

    @Flag(
        name: [.customShort("G"), .long],
        help: "Add the data to the URL's query, and send a GET without data.")
    var get = false

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            JSON to send: text, which is checked, or @FILE; several are joined. Also sets \
            Content-Type and Accept.
            """, valueName: "json|@file"),
        transform: { DataPiece(.binary, $0) })
    var json: [DataPiece] = []

    @Option(
        name: [.customShort("F"), .long],
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            """
            A part of a multipart form: name=text, name=@FILE for a file, or name=<FILE for its \
            content, each with ;type=…, ;filename=… or ;headers=… behind it. Files are streamed.
            """, valueName: "name=content"),
        transform: { FormText($0) })
    var form: [FormText] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "The same as --form, but the text has no special characters.", valueName: "name=text"),
        transform: { FormText($0, isLiteral: true) })
    var formString: [FormText] = []

    @Option(
        name: [.customShort("T"), .long], parsing: .unconditional,
        help: ArgumentHelp(
            """
            Send this file with PUT, streamed; - is standard input. Its name is added to a URL \
            that ends with a slash.
            """, valueName: "file"))
    var uploadFile: String?

    func validate() throws {
        do throws(HTTPError) {
            _ = try parts()
        } catch {
            throw ValidationError(error.message)
        }
        let kinds = [!pieces.isEmpty, !json.isEmpty, hasParts, uploadFile != nil]
        guard kinds.count(where: { $0 }) <= 1 else {
            throw ValidationError(
                "a request has one kind of data: --data, --json, --form or --upload-file")
        }
        guard !get || !kinds[1...].contains(true) else {
            throw ValidationError("--get is for --data only")
        }
        guard standardInputs <= 1 else {
            throw ValidationError("standard input can be read only once: use @- once")
        }
    }

    /// The data for a form, in the order of the command line.
    private var pieces: [DataPiece] {
        (data + dataRaw + dataBinary + dataUrlencode).sorted { $0.place < $1.place }
    }

    private var hasParts: Bool { !form.isEmpty || !formString.isEmpty }

    /// Returns the parts of a multipart form, in the order of the command line.
    private func parts() throws(HTTPError) -> [FormPart] {
        var parts: [FormPart] = []
        for text in (form + formString).sorted(by: { $0.place < $1.place }) {
            parts.append(try text.part())
        }
        return parts
    }

    private var standardInputs: Int {
        (pieces + json).count { $0.file?.isStandardInput == true }
            + ((try? parts()) ?? []).count { $0.isStandardInput } + (uploadFile == "-" ? 1 : 0)
    }

    var readsStandardInput: Bool { standardInputs > 0 }

    /// `true` if the request has a body.
    var hasBody: Bool {
        uploadFile != nil || !json.isEmpty || hasParts || !pieces.isEmpty && !get
    }

    /// The method of a request for which none is given.
    var method: HTTPMethod { uploadFile != nil ? .put : hasBody ? .post : .get }

    /// Adds to the URL what is not sent as a body.
    func complete(_ url: inout RequestURL) throws(HTTPError) {
        if let uploadFile, uploadFile != "-" { url.addFileName(uploadFile) }
        guard get else { return }
        var texts: [String] = []
        for piece in pieces { texts.append(try piece.text()) }
        url.addQuery(texts.joined(separator: "&"))
    }

    /// Adds the body with its content type, which is that of the request if it has one.
    func complete(_ request: inout HTTPRequest) throws {
        guard hasBody else { return }
        if let uploadFile {
            request.body = try InputFile(uploadFile).body()
        } else if !json.isEmpty {
            request.body = try jsonBody()
            try request.setDefault(.contentType, "application/json")
        } else if hasParts {
            var form = MultipartForm()
            for part in try parts() { try part.add(to: &form) }
            request = request.multipart(form)
        } else {
            var bodies: [HTTPBody] = []
            for piece in pieces {
                if !bodies.isEmpty { bodies.append(HTTPBody("&")) }
                bodies.append(try piece.body())
            }
            request.body = BodyParts.joined(bodies)
            try request.setDefault(.contentType, "application/x-www-form-urlencoded")
        }
    }

    private func jsonBody() throws(HTTPError) -> HTTPBody {
        var bodies: [HTTPBody] = []
        for piece in json { bodies.append(try piece.body()) }
        let body = BodyParts.joined(bodies)
        if let text = body.bytes, json.allSatisfy({ $0.file == nil }) {
            do throws(HTTPJSON.ParseError) {
                _ = try HTTPJSON(parsing: text)
            } catch {
                throw HTTPError(.invalidRequest, "--json takes JSON: \(error)")
            }
        }
        return body
    }
}

extension HTTPRequest {
    /// Sets a field that the request does not have.
    mutating func setDefault(_ name: HTTPHeaderName, _ value: String) throws(HTTPError) {
        if !headers.contains(name) { try headers.set(name, value) }
    }
}
