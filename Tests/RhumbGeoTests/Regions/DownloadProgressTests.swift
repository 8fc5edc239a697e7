import RhumbCore
import Testing

struct DownloadProgressTests {
    @Test func `outcomes are counted, and reused tiles don't count for the rate`() {
        var progress = DownloadProgress(total: 10)
        for _ in 0..<3 { progress.note(.reused, at: 0) }
        #expect(progress.tilesPerSecond(at: 1) == 0 && progress.secondsLeft(at: 1) == nil)
        progress.note(.done(bytes: 500), at: 1)
        progress.note(.failed, at: 2)
        progress.note(.absent, at: 3)
        #expect((progress.done, progress.failed, progress.absent, progress.reused) == (1, 1, 1, 3))
        #expect(
            progress.settled == 6 && progress.left == 4 && progress.fraction == 0.6 && progress.bytes == 500)
        progress.retry(1)
        #expect(progress.failed == 0 && progress.left == 5)
    }

    @Test(arguments: [1.0, 20, 300])
    func `at a constant rate the rate and the time left are correct, at the start and later`(
        duration: Double
    ) throws {
        var progress = DownloadProgress(total: 10_000)
        for step in 0..<Int(duration * 20) { progress.note(.done(bytes: 100), at: 1000 + Double(step) / 20) }
        let now = 1000 + duration
        #expect(abs(progress.tilesPerSecond(at: now) - 20) < 0.5)
        #expect(abs(progress.bytesPerSecond(at: now) - 2000) < 50)
        let left = try #require(progress.secondsLeft(at: now))
        #expect(abs(left - Double(progress.left) / 20) < left * 0.03)
    }

    @Test func `a new rate is reached within seconds, and a stall lowers it`() {
        var progress = DownloadProgress(total: 100_000)
        for step in 0..<2000 { progress.note(.done(bytes: 1), at: Double(step) / 100) }
        for step in 0..<200 { progress.note(.done(bytes: 1), at: 20 + Double(step) / 10) }
        #expect(progress.tilesPerSecond(at: 40) < 20 && progress.tilesPerSecond(at: 40) > 10)
        #expect(progress.secondsLeft(at: 43) != nil)
        #expect(progress.tilesPerSecond(at: 45.1) == 0 && progress.secondsLeft(at: 45.1) == nil)
    }

    @Test func `no rate is reported before a second has passed`() {
        var progress = DownloadProgress(total: 100_000)
        progress.note(.done(bytes: 20_000), count: 5000, at: 10)
        for time in [10.0, 10.001, 10.5, 10.99] {
            #expect(progress.tilesPerSecond(at: time) == 0 && progress.bytesPerSecond(at: time) == 0)
            #expect(progress.secondsLeft(at: time) == nil && !progress.text(at: time).contains("/s"))
        }
        #expect((4000...6000).contains(progress.tilesPerSecond(at: 11)))
    }

    @Test func `after a pause the rate is measured again`() {
        var progress = DownloadProgress(total: 100)
        for step in 0..<50 { progress.note(.done(bytes: 1), at: Double(step)) }
        progress.resume()
        #expect(progress.tilesPerSecond(at: 1000) == 0)
        progress.note(.done(bytes: 1), at: 1000)
        progress.note(.done(bytes: 1), at: 1001)
        #expect(progress.tilesPerSecond(at: 1001) > 1)
    }

    @Test func `an empty download is complete, and invalid numbers are harmless`() {
        let none = DownloadProgress(total: -5)
        #expect(none.isComplete && none.fraction == 1 && none.secondsLeft(at: 0) == 0)
        var odd = DownloadProgress(total: 1)
        odd.note(.done(bytes: -7), at: 5)
        odd.note(.done(bytes: .max), at: 3)
        odd.note(.done(bytes: .max), at: 4)
        #expect(odd.bytes == .max && odd.left == 0 && odd.fraction == 1)
    }

    @Test func `the text contains all figures`() {
        var progress = DownloadProgress(total: 2000)
        for step in 0..<1000 { progress.note(.done(bytes: 1000), at: Double(step) / 100) }
        progress.note(.failed, at: 10)
        let text = progress.text(at: 10)
        #expect(text.hasPrefix("1,001/2,000 50% · 10") && text.hasSuffix("10 s left · 1 failed"))
        #expect(text.contains(" tiles/s · ") && text.contains(" kB/s"))
        #expect(progress.json(at: 10)["done"] == 1000)
    }
}
