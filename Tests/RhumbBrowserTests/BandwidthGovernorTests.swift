import RhumbBrowser
import Testing

struct BandwidthGovernorTests {
    /// Returns the quality for a moving frame of a given full size, where each lower quality takes a third
    /// less.
    private func moving(
        _ governor: inout BandwidthGovernor, full: Int = 60_000, restoring: Int = 60_000
    ) -> BandwidthGovernor.Tier {
        governor.tier(isMoving: true) { tier in
            (0..<tier.rawValue).reduce((full, tier == .full ? 0 : restoring)) { size, _ in
                (size.0 * 2 / 3, size.1)
            }
        }
    }

    /// Returns a governor after the view has moved for a number of full frames.
    private func governor(
        _ budget: BandwidthGovernor.Budget, after frames: Int, seconds: Double = 0.001
    ) -> BandwidthGovernor {
        var governor = BandwidthGovernor(budget)
        _ = moving(&governor, full: 0)
        for _ in 0..<frames { governor.note(bytes: 60_000, seconds: seconds) }
        return governor
    }

    @Test func `a fast terminal gets full frames`() {
        var governor = governor(.automatic, after: 20)
        #expect(governor.isUnlimited && moving(&governor) == .full)
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
        for _ in 0..<40 { governor.note(bytes: 3_000, seconds: 0.001) }
        #expect(governor.isUnlimited && !governor.maySharpen)
        governor.note(bytes: 100_000, seconds: 0.01)
        #expect(governor.maySharpen)
        #expect(!BandwidthGovernor(.bytesPerSecond(200_000)).maySharpen)
    }

    @Test func `a slow line gets small changes in full quality`() {
        var governor = governor(.bytesPerSecond(50_000), after: 0)
        #expect(moving(&governor, full: 4_000) == .full)
    }

    @Test func `the quality of a single step is not lowered, since restoring it would cost more`() {
        var governor = BandwidthGovernor(.bytesPerSecond(50_000))
        governor.note(bytes: 160_000, seconds: 3)
        #expect(moving(&governor, full: 30_000, restoring: 150_000) == .full)
        #expect(moving(&governor, full: 30_000, restoring: 150_000) == .full)
    }

    @Test func `a long movement over a slow line has lower quality, and full quality at rest`() {
        var governor = governor(.automatic, after: 2, seconds: 2)
        #expect(moving(&governor) == .halves256)
        #expect(governor.tier(isMoving: false) { _ in (60_000, 0) } == .full)
        #expect(moving(&governor) == .full)
    }

    @Test(arguments: [
        (900_000, BandwidthGovernor.Tier.full), (500_000, .fewerColours), (300_000, .halves),
        (30_000, .halves256),
    ])
    func `a budget selects the best quality that fits ten times a second`(
        budget: Int, tier: BandwidthGovernor.Tier
    ) {
        var governor = governor(.bytesPerSecond(budget), after: 2)
        #expect(moving(&governor) == tier)
    }

    @Test func `a line that recovers is used at full speed again`() {
        var governor = governor(.automatic, after: 1, seconds: 2)
        for _ in 0..<30 { governor.note(bytes: 20_000, seconds: 0.002) }
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
