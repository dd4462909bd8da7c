import HTTPCore
import Testing
@testable import HTTPTransportCurl
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct TLSContextTests {
    /// Settings that differ, and hold a descriptor each.
    private func settings(_ number: Int) -> TLSSettings {
        var settings = TLSSettings()
        settings.trust = .only(
            .pem(
                Data(
                    "\(number)\n-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n"
                        .utf8)))
        return settings
    }

    private func openDescriptors(_ context: TLSContext?) -> Bool {
        context?.authorityFile.map { ReadableFile.check($0) == nil } ?? false
    }

    @Test func `the settings that were used least recently make room`() throws {
        let library = try CurlLibrary.loaded.get()
        let contexts = TLSContexts(own: TLSSettings())
        let own = try contexts.context(for: nil, library)
        var first: TLSContext? = try contexts.context(for: settings(0), library)
        let second = try contexts.context(for: settings(1), library)
        for number in 2..<TLSContexts.limit {
            _ = try contexts.context(for: settings(number), library)
        }
        #expect(contexts.retirements == 0)
        // Used again, so that the second is the oldest.
        #expect(try contexts.context(for: settings(0), library) === first)
        _ = try contexts.context(for: settings(-1), library)
        #expect(contexts.retirements == 1 && second.isRetired && first?.isRetired == false)
        #expect(try contexts.context(for: settings(0), library) === first)

        // An evicted context is created again under another path, because libcurl caches by path.
        let path = second.authorityFile
        let again = try contexts.context(for: settings(1), library)
        #expect(again !== second && again.authorityFile != path)
        #expect(openDescriptors(second) && openDescriptors(again))

        // A thousand more, and the transport's own and the one in use are still there.
        for number in 1000..<2000 { _ = try contexts.context(for: settings(number), library) }
        #expect(try contexts.context(for: nil, library) === own && !own.isRetired)
        #expect(first?.isRetired == true && openDescriptors(first))
        weak let ended = first
        first = nil
        #expect(ended == nil)
    }

    @Test func `no two contexts have had a path in common`() throws {
        let library = try CurlLibrary.loaded.get()
        var paths: Set<String> = []
        for number in 0..<500 {
            // Each frees its descriptor, whose number the next one gets.
            let context = try TLSContext(settings(number), library)
            guard let path = context.authorityFile else { return }
            #expect(paths.insert(path).inserted)
        }
    }

    @Test func `settings that log keys make no room, and are refused when there is none`() throws {
        let library = try CurlLibrary.loaded.get()
        guard library.tls.logsKeys else { return }
        let contexts = TLSContexts(own: TLSSettings())
        for number in 0..<TLSContexts.limit {
            var logging = settings(number)
            logging.keyLogFile = "/dev/null"
            _ = try contexts.context(for: logging, library)
        }
        let error = #expect(throws: HTTPError.self) {
            try contexts.context(for: settings(-1), library)
        }
        #expect(error?.code == .unsupportedOption)
        #expect(contexts.retirements == 0)
    }
}
