internal import Rhumb
internal import RhumbBrowser
internal import RhumbTerminal

/// How the loop draws: once for everything that happened.
extension Runtime {
    /// Draws once, waiting a moment for tiles that are nearly there.
    func draw(patience: Duration) {
        let deadline = now + patience
        var scene = scene()
        while !scene.isComplete && now < deadline {
            inbox.waker.wait(milliseconds: Int32((deadline - now) / .milliseconds(1)) + 1)
            inbox.waker.clear()
            scene = self.scene()
        }
        hasUndrawnTiles = false
        let tier = nextTier()
        let map = painter.paint(
            scene, viewport: browser.viewport, settings: browser.settings.lowered(to: tier),
            theme: browser.theme)
        screen.draw(browser.view(scene, map: map))
        lastDrawing = now
        drawnTier = tier
        pendingTier = tier
    }

    /// How good the next frame should be; a lowered one is followed by a full one at rest.
    private func nextTier() -> BandwidthGovernor.Tier {
        if let pendingTier, let cost = screen.lastFrame {
            governor.note(
                bytes: cost.bytes, seconds: cost.duration / .seconds(1), tier: pendingTier)
        }
        let isMoving = now - lastMove < BandwidthGovernor.rest
        let tier = governor.tier(isMoving: isMoving)
        if tier != .full { wakes.append(now + BandwidthGovernor.rest) }
        return tier
    }

    private func scene() -> Scene {
        if browser.traffic == .off { return engine.board.scene(of: browser.viewport, layers: browser.layers) }
        tell(.traffic(traffic.status))
        return traffic.scene(of: browser.viewport, over: browser.layers)
    }
}
