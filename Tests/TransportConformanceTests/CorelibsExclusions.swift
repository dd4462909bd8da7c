import HTTPTesting
import TestSupport

@testable import HTTPTransportCurl

/// The cases that URLSessionTransport cannot pass because of URLSession on Linux
/// (swift-corelibs-foundation of Swift 6.3.1).
///
/// Each has its cause, its issue if there is one, and the reason why nothing above URLSession can
/// help.
let corelibsExclusions: [TransportConformance.Exclusion] =
    requests + responses + bodies + ofLibrary + [
        .init(
            "a connection that is closed after the status line is lost", because: endsInHead,
            isAttempted: false),
        .init(
            "a connection that is closed in a field is lost", because: endsInHead,
            isAttempted: false),
        .init(
            "a connection that is closed between fields is lost", because: endsInHead,
            isAttempted: false),
    ]

/// The exclusions for the version of libcurl that this process has loaded, which URLSession uses,
/// too.
private let ofLibrary: [TransportConformance.Exclusion] = {
    guard let library = try? CurlLibrary.loaded.get() else { return [] }
    return LibcurlDifference.reasons(.urlSession, in: library.number).sorted { $0.key < $1.key }
        .map { .init($0.key, because: $0.value) }
}()

private let endsInHead =
    "it ends the process: fatalError at NativeProtocol.swift:240 (corelibs #5285), before any "
    + "callback"

private let endsWithTrailers =
    "trailers end the process: fatalError in NativeProtocol.swift, before any callback; no issue "
    + "found"

private let takesBodiesIn =
    "URLSession reads bodies on the queue that serves all its transfers, and takes a stream "
    + "without bytes at hand for one that has ended: a body has to be complete before it is sent"

private let decodesAlways =
    "URLSession has libcurl decode always, and shows the decoded bytes alone"

private let requests: [TransportConformance.Exclusion] = [
    .init(
        "fields are sent in the request's order",
        because: "URLRequest keeps fields in a dictionary, which has no order"),
    .init(
        "dot segments are kept",
        because:
            "libcurl resolves them unless told otherwise (CURLOPT_PATH_AS_IS), and URLSession has "
            + "no way to tell it"),
    .init(
        "an IPv6 address is a host",
        because:
            "URLSession compares the host with libcurl's, brackets and all, and fails every such "
            + "URL (corelibs #5496, cured on its main branch by #5498); no other URL names the host"
    ),
    .init(
        "bytes of a stream leave before it ends", because: takesBodiesIn, isAttempted: false),
    .init("an early refusal lets an endless producer go", because: takesBodiesIn),
]

private let responses: [TransportConformance.Exclusion] = [
    .init(
        "a status line that ends at the code is taken",
        because:
            "URLSession's parser wants a blank behind the code, and fails the task before it shows "
            + "anything; no issue found"),
    .init(
        "the version of the response is told",
        because: "HTTPURLResponse does not have it, and there are no metrics (corelibs #4988)"),
    .init(
        "a version that the connection does not speak is refused",
        because:
            "URLSession takes HTTP/2.0 on a connection of HTTP/1 for its word, and HTTPURLResponse "
            + "does not have the status line; the framing is that of HTTP/1 all the same"),
    .init(
        "a version in small letters is refused",
        because: "URLSession takes it, and HTTPURLResponse does not have the status line"),
    .init(
        "a value of blanks is empty",
        because:
            "URLSession's parser finds no value, and fails the task before it shows anything; no "
            + "issue found"),
    .init(
        "a value right behind the colon is taken",
        because:
            "URLSession's parser wants a blank behind the colon, and fails the task before it "
            + "shows anything (corelibs #5527, cured in 6.4 by #5529)"),
    .init(
        "fields of one name stay apart and in order",
        because:
            "HTTPURLResponse holds one value per name, joined (corelibs #669); only Set-Cookie can "
            + "be told apart again"),
    .init(
        "names that differ in case are one name",
        because:
            "HTTPURLResponse keeps one of them, and the others' values are lost; no issue found"),
    .init(
        "fields are kept in order",
        because: "HTTPURLResponse keeps fields in a dictionary, which has no order"),
    .init(
        "a value that is not UTF-8 is read as ISO 8859-1",
        because:
            "URLSession's parser reads UTF-8 only, and fails the task before it shows anything; no "
            + "issue found"),
    .init(
        "a line beyond 64 KiB is refused",
        because:
            "fields of one name come joined, so that one long line looks like many; the limit of "
            + "256 KiB for all of them holds"),
]

private let bodies: [TransportConformance.Exclusion] = [
    .init(
        "trailers come with the end of the body", because: endsWithTrailers, isAttempted: false),
    .init(
        "there are no trailers before the end of the body", because: endsWithTrailers,
        isAttempted: false),
    .init("what the request has asked for itself is not decoded", because: decodesAlways),
    .init("a coded range is not decoded", because: decodesAlways),
    .init(
        "a coding that is cut short is an error",
        because: "libcurl takes content as complete whose coding is not"),
    .init(
        "what follows the end of a coding is an error",
        because: "libcurl calls it an error of writing, which URLSession cannot name"),
    .init(
        "several members of gzip are one content", because: "libcurl decodes the first one only"),
    .init(
        "two and three codings are taken off one after the other",
        because:
            "libcurl decodes them all in one step, however long they become: the transport refuses "
            + "what it can"),
    .init(
        "an unknown coding is left as it is, and so are those around it",
        because: "libcurl refuses content in a coding that it does not know"),
    .init(
        "a redirect without a Location keeps its body",
        because:
            "URLSession holds back the body of a redirect, and drops it when there is no Location"),
    .init(
        "the head of a redirect comes before its body",
        because: "URLSession shows a redirect when its body is complete, not before",
        isAttempted: false),
    .init(
        "a reader that stops holds the server back",
        because:
            "suspend() does not stop libcurl: receiving cannot be paused in corelibs (its TODO in "
            + "NativeProtocol); unread bytes wait in a file", isAttempted: false),
]
