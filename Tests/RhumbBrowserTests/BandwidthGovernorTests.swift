import RhumbBrowser
import Testing

struct BandwidthGovernorTests {
    /// Returns a governor after a number of frames of 60 kB.
    private func governor(
        _ budget: BandwidthGovernor.Budget, after frames: Int, seconds: Double = 0.001
    ) -> BandwidthGovernor {
        var governor = BandwidthGovernor(budget)
        for _ in 0..<frames { governor.note(bytes: 60_000, seconds: seconds) }
        return governor
    }

    @Test func `a fast terminal gets whole frames, and a slow one pieces for its rate, up to the budget`() {
        #expect(governor(.automatic, after: 20).slowRate == nil)
        #expect(governor(.automatic, after: 2, seconds: 0.05).slowRate == nil)
        #expect(governor(.automatic, after: 2, seconds: 2).slowRate == 30_000)
        #expect(governor(.bytesPerSecond(50_000), after: 2).slowRate == 50_000)
        #expect(governor(.bytesPerSecond(50_000), after: 2, seconds: 2).slowRate == 30_000)
    }

    @Test func `exact colours wait for a second without a key, a movement or a new colour`() {
        let governor = BandwidthGovernor(.automatic), now = Duration.seconds(10)
        let long = Duration.seconds(8), short = Duration.seconds(9.5)
        #expect(governor.maySharpen(at: now, since: [long, long, .seconds(9)]))
        for events in [[short, long, long], [long, short, long], [long, long, short]] {
            #expect(!governor.maySharpen(at: now, since: events))
        }
    }

    @Test func `a slow line gets no exact colours until a large frame was sent fast`() {
        var governor = BandwidthGovernor(.automatic)
        #expect(governor.maySharpen)
        governor.note(bytes: 200_000, seconds: 4)
        for _ in 0..<100 { governor.note(bytes: 3_000, seconds: 0.001) }
        #expect(governor.isUnlimited && !governor.maySharpen)
        governor.note(bytes: 100_000, seconds: 0.01)
        #expect(governor.maySharpen)
        #expect(!BandwidthGovernor(.bytesPerSecond(200_000)).maySharpen)
    }

    @Test func `a line that recovers is used at full speed again`() {
        var governor = governor(.automatic, after: 1, seconds: 2)
        for _ in 0..<30 { governor.note(bytes: 20_000, seconds: 0.002) }
        #expect(governor.isUnlimited)
    }

    @Test func `small frames, which buffers accept, hardly make a slow line fast`() {
        var governor = governor(.automatic, after: 1, seconds: 1.2)
        for _ in 0..<10 { governor.note(bytes: 8_000, seconds: 0.001) }
        #expect(governor.slowRate.map { (50_000..<100_000).contains($0) } == true)
        for _ in 0..<100 { governor.note(bytes: 8_000, seconds: 0.001) }
        #expect(governor.isUnlimited)
    }

    @Test func `small changes do not measure the line`() {
        var governor = BandwidthGovernor(.automatic)
        governor.note(bytes: 50, seconds: 1)
        #expect(governor.isUnlimited)
    }

    @Test func `on a slow line, pixels are shown at rest, for a single step, and while stored images move`() {
        var governor = BandwidthGovernor(.bytesPerSecond(30_000))
        func shows(_ isMoving: Bool, isStored: Bool = false, canMove: Bool = true) -> Bool {
            governor.showsPixels(isMoving: isMoving, isStored: isStored, canMove: canMove)
        }
        #expect(shows(false) && shows(true) && !shows(true) && shows(true, isStored: true))
        #expect(shows(false) && !shows(true, isStored: true, canMove: false))
        var fast = BandwidthGovernor(.automatic)
        #expect((0..<5).allSatisfy { _ in fast.showsPixels(isMoving: true, isStored: false, canMove: false) })
    }

    @Test func `on a slow line, a map in pixels is sharpened at rest, unless its pixels are hardly visible`()
    {
        let slow = BandwidthGovernor(.bytesPerSecond(100_000)), fast = BandwidthGovernor(.automatic)
        #expect(slow.sharpening(isMoving: true, isFine: false) == 0)
        #expect(slow.sharpening(isMoving: false, isFine: false) == 2)
        #expect(slow.sharpening(isMoving: false, isFine: true) == 0)
        #expect(fast.sharpening(isMoving: true, isFine: true) == .max)
        #expect(BandwidthGovernor(.bytesPerSecond(2000)).sharpening(isMoving: false, isFine: false) == 1)
    }

    @Test(arguments: [(10_000, false), (47_000, false), (48_000, true), (1_000_000, true)])
    func `images for later are sent only over a line that they delay by little`(rate: Int, isAhead: Bool) {
        #expect(BandwidthGovernor(.bytesPerSecond(rate)).maySendAhead == isAhead)
        #expect(BandwidthGovernor(.automatic).maySendAhead)
    }
}
