internal import Rhumb
internal import RhumbBrowser
internal import RhumbTerminal

/// The drawing of the loop: one frame for all events.
extension Runtime {
    /// Draws once, waiting a moment for tiles that are nearly there.
    /// - Parameter needsLabels: whether it is waited for labels too.
    func draw(patience: Duration, needsLabels: Bool = false) { draw(awaitedScene(patience, needsLabels)) }

    /// Returns the scene to draw, with everything that arrives before the time limit.
    private func awaitedScene(_ patience: Duration, _ needsLabels: Bool) -> Scene {
        let deadline = now + patience
        followTraffic()
        var scene = backedScene()
        while !scene.isComplete || browser.isAwaitingLayout || needsLabels && browser.isAwaitingLabels,
            now < deadline
        {
            inbox.waker.wait(milliseconds: Int32((deadline - now) / .milliseconds(1)) + 1)
            inbox.waker.clear()
            takeAnswers()
            followTraffic()
            scene = backedScene()
        }
        return scene
    }

    /// Returns the drawable contents of the view, with the backdrop where maps have gaps; it requests nothing
    /// for a frame without gaps. The browser learns at once which parts of the screen the frame uses, so that
    /// labels can be awaited too.
    private func backedScene() -> Scene {
        var scene = scene(of: browser.viewport)
        if backdrop?.follow(
            scene, of: browser.layers, browser.viewport, browser.theme, browser.settings.depth) == true
        {
            showLayers()
            scene = self.scene(of: browser.viewport)
        }
        let use = browser.use(
            of: scene.withoutBackdrop, hasBackdrop: backdrop?.isBelow(browser.layers) == true)
        if use != browser.screenUse { send(.frame(use)) }
        return scene
    }

    private func followTraffic() {
        if !browser.traffic.isOff { send(.traffic(session.traffic.status)) }
    }

    private func draw(_ awaited: Scene) {
        var scene = awaited
        if browser.settings.mayFadeTiles && governor.isUnlimited {
            scene = self.scene(at: now)
            if scene.isFading { wakes.append(now + TileBoard.fadeStep) }
        }
        hasUndrawnTiles = false
        hasUndrawnAnswer = false
        screen.draw(frame(of: scene))
        lastDrawing = now
    }

    /// Returns the screen in full quality or, for a moving view on a slow line, in the one the governor
    /// picks. A lowered frame is followed by a full one at rest.
    private func frame(of scene: Scene) -> CellGrid {
        if let sent = screen.lastFrame {
            governor.note(bytes: sent.bytes, seconds: sent.duration / .seconds(1))
        }
        let full = frame(of: scene, in: .full)
        var lowered = full
        let tier = governor.tier(isMoving: now - lastMove < BandwidthGovernor.rest) { tier in
            lowered = frame(of: scene, in: tier)
            let sizes = screen.sizes(of: [lowered, full])
            return (sizes[0], sizes[1])
        }
        guard tier != .full else { return full }
        wakes.append(now + BandwidthGovernor.rest)
        return lowered
    }

    /// Each quality has a painter of its own, so that switching back repaints only the cells that changed
    /// since.
    private func frame(of scene: Scene, in tier: BandwidthGovernor.Tier) -> CellGrid {
        let map = painters[tier, default: MapPainter()].paint(
            scene, viewport: browser.viewport, settings: browser.settings.lowered(to: tier),
            theme: browser.theme)
        return browser.view(scene.withoutBackdrop, map: map)
    }

    /// - Parameter moment: of the frame in which tiles may fade in; nil: they don't.
    private func scene(at moment: Duration? = nil) -> Scene {
        var layers = shownLayers
        for at in layers.indices { layers[at].fadesIn = moment != nil }
        return scene(of: browser.viewport, layers, at: moment)
    }

    /// Returns the drawable contents of a view.
    func scene(of view: Viewport) -> Scene { scene(of: view, shownLayers, at: nil) }

    private func scene(of view: Viewport, _ layers: [TileLayer], at moment: Duration?) -> Scene {
        if browser.traffic.isOff { return session.engine.board.scene(of: view, layers: layers, at: moment) }
        return session.traffic.scene(of: view, over: layers, at: moment)
    }

    /// Saves the map as it is seen.
    func save(_ name: String?, hasLegend: Bool) {
        do throws(Notice.Problem) {
            let environment = Environment.all,
                name = name.map { HomeFolder.expanded($0, environment["HOME"]) }
            let folder = Folders(environment: environment).pictures
            let file = try PictureFile(name, of: browser.viewport.camera, in: folder)
            let scene = self.scene(of: MapPicture.view(browser.viewport, file.format))
            pictures.save(
                MapPicture(browser: browser, scene: scene, format: file.format, hasLegend: hasLegend).bytes,
                as: file)
        } catch {
            send(.saved(.failure(error)))
        }
    }
}
