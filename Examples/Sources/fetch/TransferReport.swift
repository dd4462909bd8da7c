import HTTPClientKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The facts about a call that has ended, in the terms of curl's `-w`.
struct TransferReport: Sendable {
    /// The variables that the timeline and the response have values for. curl has more of them,
    /// such as the sizes of heads on the wire, which the transport does not report.
    enum Variable: String, CaseIterable, Sendable {
        case contentType = "content_type"
        case errorMessage = "errormsg"
        case exitCode = "exitcode"
        case fileName = "filename_effective"
        case httpCode = "http_code"
        case httpVersion = "http_version"
        case method
        case connects = "num_connects"
        case fields = "num_headers"
        case redirects = "num_redirects"
        case retries = "num_retries"
        case redirectURL = "redirect_url"
        case remoteAddress = "remote_ip"
        case remotePort = "remote_port"
        case responseCode = "response_code"
        case scheme
        case downloaded = "size_download"
        case uploaded = "size_upload"
        case downloadSpeed = "speed_download"
        case uploadSpeed = "speed_upload"
        case secured = "time_appconnect"
        case connected = "time_connect"
        case resolved = "time_namelookup"
        case sending = "time_pretransfer"
        case redirecting = "time_redirect"
        case firstByte = "time_starttransfer"
        case total = "time_total"
        case url
        case effectiveURL = "url_effective"
    }

    enum Value: Equatable, Sendable {
        case text(String)
        case number(Int64)
        case seconds(Duration)

        var text: String {
            switch self {
            case .text(let text): text
            case .number(let number): "\(number)"
            case .seconds(let duration): Self.seconds(duration)
            }
        }

        /// `0.012345`
        private static func seconds(_ duration: Duration) -> String {
            let (whole, part) = max(duration, .zero).components
            let digits = "\(part / 1_000_000_000_000)"
            return "\(whole)." + String(repeating: "0", count: 6 - digits.count) + digits
        }
    }

    /// The URL of the command line, without user information.
    let url: String
    let method: String
    let head: HTTPResponse.Head?
    /// The number of redirects among the responses before the last one.
    let redirects: Int
    let timeline: HTTPTimeline
    /// The time from the beginning of the call to its end, if the timeline does not have it.
    let elapsed: Duration
    let fileName: String?
    let failure: FetchFailure?

    var exitCode: Int32 { failure?.exitCode ?? 0 }

    subscript(variable: Variable) -> Value {
        switch variable {
        case .contentType: .text(head?.headers[.contentType] ?? "")
        case .errorMessage: .text(failure?.message ?? "")
        case .exitCode: .number(Int64(exitCode))
        case .fileName: .text(fileName ?? "")
        case .httpCode, .responseCode: code
        case .httpVersion: .text(head?.version.map(Self.number) ?? "0")
        case .method: .text(method)
        case .connects:
            .number(
                Int64(timeline.exchanges.count { $0.isConnectionReused == false }))
        case .fields: .number(Int64(head?.headers.count ?? 0))
        case .redirects: .number(Int64(redirects))
        case .retries: .number(Int64(timeline.retryDecisions.count { $0.isGranted }))
        case .redirectURL: .text(redirectURL)
        case .remoteAddress: .text(last?.remoteHost ?? "")
        case .remotePort: .number(Int64(last?.remotePort ?? 0))
        case .scheme: .text(String(effectiveURL.prefix { $0 != ":" }))
        case .downloaded: .number(last?.responseBodyBytes ?? 0)
        case .uploaded: .number(last?.requestBodyBytes ?? 0)
        case .downloadSpeed: speed(last?.responseBodyBytes ?? 0)
        case .uploadSpeed: speed(last?.requestBodyBytes ?? 0)
        case .secured: .seconds(last?.secured.map { redirecting + $0 } ?? .zero)
        case .connected: mark(\.connected, else: .resolved)
        case .resolved: mark(\.nameResolved, else: .redirecting)
        case .sending: mark(\.sending, else: .connected)
        case .redirecting: .seconds(redirecting)
        case .firstByte: .seconds(last?.firstByte.map { redirecting + $0 } ?? .zero)
        case .total: .seconds(total)
        case .url: .text(url)
        case .effectiveURL: .text(effectiveURL)
        }
    }

    private var last: HTTPTimeline.Exchange? { timeline.exchanges.last }

    /// `200`, or `000` without a response.
    private var code: Value { head.map { .number(Int64($0.status.code)) } ?? .text("000") }

    private var effectiveURL: String { head?.url.absoluteString ?? url }

    /// The time from the first exchange to the last one.
    private var redirecting: Duration {
        guard let first = timeline.exchanges.first, let last else { return .zero }
        return last.start - first.start
    }

    /// A time of the last exchange since the beginning of the call. If it is not known, such as
    /// that of connecting for a connection that was open, it is that of the event before.
    private func mark(
        _ path: (HTTPTimeline.Exchange) -> Duration?, else earlier: Variable
    ) -> Value {
        last.flatMap(path).map { .seconds(redirecting + $0) } ?? self[earlier]
    }

    private var total: Duration { last?.lastByte.map { redirecting + $0 } ?? elapsed }

    private func speed(_ bytes: Int64) -> Value {
        let seconds = total / .seconds(1)
        return .number(seconds > 0 ? Int64(Double(bytes) / seconds) : 0)
    }

    /// `1.1`, `2`
    private static func number(_ version: HTTPVersion) -> String {
        let text = version.rawValue
        return text.hasPrefix("HTTP/") ? String(text.dropFirst(5)) : text
    }

    /// The place that a redirect which was not followed leads to.
    private var redirectURL: String {
        guard let head, (300..<400).contains(head.status.code),
            let location = head.headers[.location]
        else { return "" }
        guard location.hasPrefix("/"), !location.hasPrefix("//"),
            let origin = try? HTTPOrigin(head.url)
        else { return location }
        return "\(origin)\(location)"
    }
}

// MARK: - JSON

extension TransferReport {
    /// All variables, with their names in alphabetical order.
    var json: String {
        let members = Variable.allCases.sorted { $0.rawValue < $1.rawValue }.map { variable in
            let value =
                switch self[variable] {
                case .text(let text): Self.quoted(text)
                case .number(let number): "\(number)"
                case .seconds: self[variable].text
                }
            return "\(Self.quoted(variable.rawValue)):\(variable.isNumber ? digits(value) : value)"
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    /// The fields of the response by their names in lower case, each with the list of its values.
    var fieldsJSON: String {
        var names: [String] = []
        var values: [String: [String]] = [:]
        for field in head?.headers ?? [:] {
            let name = field.name.spelling.lowercased()
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(Self.quoted(field.value))
        }
        let members = names.map { name in
            "\(Self.quoted(name)):[\((values[name] ?? []).joined(separator: ","))]"
        }
        return "{" + members.joined(separator: ",\n") + "}"
    }

    private func digits(_ text: String) -> String { text == "\"000\"" ? "0" : text }

    private static func quoted(_ text: String) -> String {
        HTTPJSON.string(text).description
    }
}

extension TransferReport.Variable {
    /// `true` for the status, a number that `-w` writes with three digits.
    fileprivate var isNumber: Bool { self == .httpCode || self == .responseCode }
}

extension HTTPRetryEvent {
    fileprivate var isGranted: Bool {
        guard case .granted = outcome else { return false }
        return true
    }
}
