import FoundationEssentials
import HTTPCore
import HTTPTransportCurl

extension FuzzTarget {
    /// The input is a response's head, without the empty line at its end. A head that is taken at
    /// once is what its lines are one by one, and every usual head is taken at once.
    static let head = Self("head") { bytes in
        let head = Array(bytes.prefix(8 << 10))
        var lines = head.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            Array($0) + [0x0A]
        }
        // libcurl passes lines with their ends; what follows the last end is no line.
        guard head.last == 0x0A else { return }
        lines.removeLast()
        var atOnce = HeadCollector()
        let isTaken = atOnce.receive(head: head.span)
        var careful = HeadCollector()
        var events: [HeadCollector.Event] = []
        do throws(HeadCollector.Violation) {
            for line in lines + [[0x0D, 0x0A]] { events.append(try careful.receive(line.span)) }
        } catch {
            require(!isTaken, "a head is taken although a line is refused: \(error)")
            return
        }
        let isUsual =
            events.last == .head && events.dropLast().allSatisfy { $0 == .none }
            && lines.allSatisfy { line in
                line.count > 2 && line[line.count - 2] == 0x0D && line[0] != 0x20 && line[0] != 0x09
            }
        require(isTaken == isUsual, "a head is taken: \(isTaken), is usual: \(isUsual)")
        guard isTaken else {
            require(atOnce == HeadCollector(), "a head that was not taken has left a trace")
            return
        }
        require(atOnce == careful, "the head differs from its lines")
        for (field, other) in zip(atOnce.headers, careful.headers) {
            requireSame(field.name.spelling, other.name.spelling, "a name differs")
            requireSame(field.value, other.value, "a value differs")
            require(field.isSensitive == other.isSensitive, "a field is sensitive in one of both")
        }
        require(atOnce.headers.byteCount == careful.headers.byteCount, "the size differs")
        checkChanges(atOnce.headers, careful.headers)
    }

    /// Sections stay the same when both are changed in the same way.
    private static func checkChanges(_ atOnce: HTTPHeaders, _ careful: HTTPHeaders) {
        var (first, second) = (atOnce, careful)
        for field in careful.prefix(3) {
            first.remove(field.name)
            second.remove(field.name)
            require(first == second, "sections differ after \(field.name) is removed")
        }
        first.append(contentsOf: atOnce)
        second.append(contentsOf: careful)
        require(first == second, "sections differ after another was appended")
    }
}
