import TestSupport
import Testing

@testable import HTTPClientKit

@Suite struct ProgressTrackTests {
    // MARK: Progress

    @Test(.rows("S1-41"))
    func `a fraction is between 0 and 1, and unknown without a total`() {
        #expect(HTTPTransferProgress(.upload, bytes: 1, length: 4).fraction == 0.25)
        #expect(HTTPTransferProgress(.upload, bytes: 5, length: 4).fraction == 1)
        #expect(HTTPTransferProgress(.upload, bytes: 0, length: 0).fraction == 1)
        #expect(HTTPTransferProgress(.download, bytes: 1, length: nil).fraction == nil)
        #expect(HTTPTransferProgress(.download, bytes: 1, length: -1).fraction == 1)
    }

    @Test(.rows("S1-41"))
    func `progress never goes back, neither in bytes nor as a fraction`() {
        var track = ProgressTrack()
        #expect(track.record(HTTPTransferProgress(.download, bytes: 5, length: 10)) == true)
        #expect(track.record(HTTPTransferProgress(.download, bytes: 4, length: 10)) == false)
        #expect(track.record(HTTPTransferProgress(.download, bytes: 6, length: 100)) == false)
        #expect(track.record(HTTPTransferProgress(.download, bytes: 5, length: 10)) == false)
        #expect(track.record(HTTPTransferProgress(.download, bytes: 6, length: 10)) == true)
    }

    @Test(.rows("S1-41"))
    func `a download is complete when its task says so, not when an attempt is`() {
        var track = ProgressTrack()
        #expect(track.record(HTTPTransferProgress(.download, bytes: 10, length: 10)) == false)
        #expect(track.newest == nil)
        track.end(.download, at: 20)
        #expect(track.newest?.progress.fraction == 1)
    }

    @Test(.rows("S1-41"))
    func `the end tells a total that was not known`() {
        var track = ProgressTrack()
        #expect(track.record(HTTPTransferProgress(.download, bytes: 10, length: nil)) == true)
        track.end(.download, at: 10)
        #expect(track.newest?.progress == HTTPTransferProgress(.download, bytes: 10, length: 10))
        let number = track.newest?.number
        track.end(.download, at: 10)
        #expect(track.newest?.number == number)
    }

    @Test(.rows("S1-33", "S1-41"))
    func `a slow reader skips outdated progress of both kinds`() {
        var track = ProgressTrack()
        #expect(track.record(HTTPTransferProgress(.upload, bytes: 1, length: nil)) == true)
        #expect(track.record(HTTPTransferProgress(.upload, bytes: 2, length: nil)) == true)
        #expect(track.record(HTTPTransferProgress(.download, bytes: 3, length: nil)) == true)
        let first = track.next(after: 0)
        #expect(first?.progress == HTTPTransferProgress(.upload, bytes: 2, length: nil))
        #expect(track.next(after: first?.number)?.progress.kind == .download)
        #expect(track.next(after: track.newest?.number) == nil)
        #expect(track.next(after: nil)?.progress.kind == .download)
    }

    @Test(.rows("S1-41"))
    func `an upload that was handed over to its end is sent when its task says so`() {
        var track = ProgressTrack()
        #expect(track.record(HTTPTransferProgress(.upload, bytes: 5, length: 10)) == true)
        #expect(track.record(HTTPTransferProgress(.upload, bytes: 10, length: 10)) == false)
        #expect(track.newest?.progress.fraction == 0.5 && track.heldUpload == 10)
        track.end(.upload, at: 10)
        #expect(track.newest?.progress.fraction == 1)
    }

    @Test(.rows("S1-41"))
    func `the end keeps where a download was resumed`() {
        for bytes: Int64 in [60, 100] {
            var track = ProgressTrack()
            let progress = HTTPTransferProgress(
                .download, bytes: bytes, length: 100, resumedOffset: 50)
            _ = track.record(progress)
            track.end(.download, at: 100)
            #expect(track.newest?.progress.resumedOffset == 50)
            #expect(track.newest?.progress.bytes == 100)
        }
    }
}
