import Glibc
@testable import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOpening
import RhumbTestSupport
import Testing

/// Tests the recording of a receiver's way.
struct TrackRecorderTests {
    private let folder = TemporaryFolder()
    private var tracks: String { folder.path + "/data/tracks" }

    /// Returns a feed of gpsd's reports of positions to the north of each other.
    private func feed(latitudes: [Double], then command: String = "sleep 1000") throws -> OverlayFeed {
        let lines = latitudes.enumerated().map { at, latitude in
            #"{"class":"TPV","mode":3,"lat":\#(latitude),"lon":22,"altMSL":12.5,"time":"2026-05-01T12:00:0\#(at).000Z"}"#
        }
        let path = folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "lines.json")
        return OverlayFeed(
            try #require(OverlayOrigin("exec:1000s:cat \(path); \(command)")), number: 0,
            overlayTheme: LiveLayer.OverlayTheme(),
            recorder: TrackRecorder(folder: tracks, creator: "Rhumb & tests"))
    }

    @Test func `a track is a whole file while it is recorded, with heights and times`() async throws {
        let feed = try feed(latitudes: [60, 60.001, 60.002])
        feed.begin { _, _ in }
        defer { feed.stop() }
        #expect(await eventually { feed.current.recording.path != nil })
        let path = try #require(feed.current.recording.path)
        #expect(path.hasPrefix(tracks) && path.hasSuffix(".gpx"))
        #expect(await eventually { (Files.read(path) ?? []).count { $0 == UInt8(ascii: "\n") } == 8 })
        let text = String(decoding: try #require(Files.read(path)), as: UTF8.self)
        #expect(text.hasSuffix("</trkseg></trk>\n</gpx>\n") && text.contains("creator=\"Rhumb &amp; tests\""))
        #expect(text.contains("<ele>12.5</ele><time>2026-05-01T12:00:02Z</time>"), "\(text)")
        let copy = OverlayFeed(
            .file(path), number: 1, overlayTheme: LiveLayer.OverlayTheme(),
            recorder: TrackRecorder(folder: tracks, creator: ""))
        let status = await copy.whole(within: .seconds(60))
        copy.stop()
        #expect(status.faults.count == 0 && status.recording.path == nil)
        #expect(copy.live.index.features.first?.paths.first?.points.count == 3)
        var facts = stat()
        #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    }

    @Test func `a receiver at rest makes no file`() async throws {
        let feed = try feed(latitudes: [60, 60, 60.000001], then: "true")
        let status = await feed.whole(within: .seconds(60))
        feed.stop()
        #expect(status.hasPosition && status.recording == TrackRecording() && !Files.exists(tracks))
    }

    @Test func `a folder that can't be made is named`() async throws {
        _ = folder.write([], to: "data")
        let feed = try feed(latitudes: [60, 60.001], then: "true")
        let status = await feed.whole(within: .seconds(60))
        feed.stop()
        let problem = try #require(status.recording.problem)
        #expect(problem.contains("can't record the track") && problem.contains(tracks), "\(problem)")
    }
}
