import RhumbBrowser
import Testing

struct BandwidthGovernorTests {
    private func tiers(_ governor: BandwidthGovernor) -> (moving: BandwidthGovernor.Tier, resting: BandwidthGovernor.Tier) {
        (governor.tier(isMoving: true), governor.tier(isMoving: false))
    }

    @Test func `a fast terminal gets full frames`() {
        var governor = BandwidthGovernor(.automatic)
        for _ in 0..<20 { governor.note(bytes: 100_000, seconds: 0.004, tier: .full) }
        #expect(tiers(governor) == (.full, .full))
    }

    @Test func `a slow line lowers moving frames and rests at full`() {
        var governor = BandwidthGovernor(.automatic)
        governor.note(bytes: 60_000, seconds: 2, tier: .full)
        #expect(tiers(governor) == (.halves256, .full))
    }

    @Test(arguments: [(900_000, BandwidthGovernor.Tier.full), (500_000, .fewerColours), (400_000, .halves), (30_000, .halves256)])
    func `a budget picks the finest frame that fits ten times a second`(budget: Int, tier: BandwidthGovernor.Tier) {
        var governor = BandwidthGovernor(.bytesPerSecond(budget))
        governor.note(bytes: 60_000, seconds: 0.001, tier: .full)
        #expect(governor.tier(isMoving: true) == tier)
    }

    @Test func `what was measured counts more than what was expected`() {
        var governor = BandwidthGovernor(.bytesPerSecond(400_000))
        governor.note(bytes: 60_000, seconds: 0.001, tier: .full)
        for _ in 0..<20 { governor.note(bytes: 30_000, seconds: 0.001, tier: .fewerColours) }
        #expect(governor.tier(isMoving: true) == .fewerColours)
    }

    @Test func `a line that recovers is trusted again`() {
        var governor = BandwidthGovernor(.automatic)
        governor.note(bytes: 60_000, seconds: 2, tier: .full)
        for _ in 0..<30 { governor.note(bytes: 20_000, seconds: 0.002, tier: .halves256) }
        #expect(governor.tier(isMoving: true) == .full)
    }

    @Test func `small changes say nothing`() {
        var governor = BandwidthGovernor(.automatic)
        governor.note(bytes: 50, seconds: 1, tier: .full)
        #expect(governor.tier(isMoving: true) == .full)
    }
}
