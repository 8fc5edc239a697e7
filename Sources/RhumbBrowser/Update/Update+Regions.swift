internal import RhumbCore
internal import RhumbEngine

/// The view as a region.
extension Browser {
    /// The number of zooms beyond the view's that a download includes by default. Where the map has fewer, it
    /// includes as many lower ones instead, for overviews such as that of a route; they have few tiles.
    private static let usualDepth = 3

    /// Returns the actions with the view as a region, and a report of the parts that can't be included.
    func withDraft(_ actions: (RegionDraft) -> [Action]) -> [Action] {
        do throws(Notice.Problem) {
            let hasTraffic =
                !traffic.choice.isOff || map.layers.contains { $0.isVisible && $0.feature.isTraffic }
            return actions(try draft()) + (hasTraffic ? [.say(DownloadText.noTraffic)] : [])
        } catch {
            return [.complain(error.description)]
        }
    }

    /// True if the view has a map, streets or heights that can be downloaded.
    var canDownload: Bool { (try? draft()) != nil }

    /// The actions that download the view without showing the plan.
    var downloadingAtOnce: [Action] { withDraft { whenAgreed(to: $0, then: [.download($0)]) } }

    /// Returns the view as a region of the visible base maps from the network, or of streets. Each source is
    /// included once, even if several layers draw it.
    private func draft() throws(Notice.Problem) -> RegionDraft {
        var seen: Set<String> = []
        let web = map.layers.filter {
            $0.isVisible && $0.isFromWeb && !$0.refinesBase && !$0.feature.isTraffic && !$0.isHills
        }
        .filter { seen.insert($0.source.url(for: .world, of: $0) ?? $0.id).inserted }
        // The list of sources is read last, because the hints of the first picture ask this, too.
        if web.isEmpty ? canShowStreets : web.allSatisfy({ $0.policy.offline == .denied }),
            let offer = streets.download
        {
            return try draft(ofStreets: offer, in: web.first)
        }
        guard let first = web.first ?? shownHeights?.layer else {
            throw Notice.Problem(DownloadText.notNeeded(base?.info.name))
        }
        let own = first.nearestTileZoom(at: map.viewport.camera.zoom)
        let high = min(own + Browser.usualDepth, first.dataZooms.upperBound)
        let low = min(own, max(high - Browser.usualDepth, first.dataZooms.lowerBound))
        var draft = RegionDraft(
            name: nameOfView
                ?? "\(first.info.name) \(PlaceFormat.shortCoordinate(map.viewport.camera.coordinate, decimals: 2))",
            box: try seenBounds(), zooms: low...high, layers: web.map(\.id))
        setHeights(of: &draft, askable: web.contains { $0.policy.offline == .ask })
        // The download of an open map asks nothing, so that heights of another host wait for their key.
        if draft.hasHeights == nil, !hasAgreed(to: draft.heights.specifier) { draft.hasHeights = false }
        return draft
    }

    /// Returns the streets of the view as a region.
    /// - Parameter denied: The map on screen, if its provider doesn't allow downloads.
    private func draft(
        ofStreets offer: ServiceOffer, in denied: TileLayer?
    ) throws(Notice.Problem) -> RegionDraft {
        let zoom = map.viewport.camera.zoom
        let high =
            zoom >= Browser.cityZoom
            ? Browser.deepestStreetZoom : min(Int(zoom.rounded()) + 6, Browser.deepestStreetZoom)
        var draft = RegionDraft(
            name: nameOfView ?? PlaceFormat.shortCoordinate(map.viewport.camera.coordinate, decimals: 2),
            box: try seenBounds(),
            zooms: min(Browser.lowestStreetZoom, high)...high, layers: [], source: offer)
        draft.deniedMap = denied?.info.name
        setHeights(of: &draft, askable: false)
        return draft
    }

    /// The topmost shading or contours made from heights on the web, and the source of the heights.
    private var shownHeights: (layer: TileLayer, source: HeightSourceItem)? {
        guard let layer = map.layers.last(where: { $0.isVisible && $0.isHills }),
            layer.hillGround?.isFromWeb ?? layer.isFromWeb
        else { return nil }
        let specifier = layer.hillGround?.specifier ?? layer.specifier
        return (
            layer, stored.heightSources.first { $0.specifier == specifier } ?? HeightSourceItem(specifier)
        )
    }

    /// Includes the heights on the map in a draft if their provider allows it. Otherwise, the first source of
    /// heights is the default.
    /// - Parameter askable: True if the download asks for the provider's permission anyway.
    private func setHeights(of draft: inout RegionDraft, askable: Bool) {
        draft.heights = stored.heightSources.first ?? .standard
        guard let (layer, source) = shownHeights else { return }
        draft.heights = source
        let right = layer.policy.offline
        if right == .allowed || right == .ask && askable || draft.isOfHeights { draft.hasHeights = true }
    }

    /// The zooms of downloaded streets. From `cityZoom` on, a view is small enough for all of them.
    private static let lowestStreetZoom = 6, deepestStreetZoom = 15, cityZoom = 8.5

    /// The zoom from which a view is named after its best-known place.
    private static let namedZoom = 7.0

    /// The settlement in the view, with a number if a region already has its name; nil if none is known.
    private var nameOfView: String? {
        guard map.viewport.camera.zoom >= Browser.namedZoom, let place = nearbyPlace,
            PlaceBearing(map.viewport.camera.coordinate, from: place).isWithin
                || (try? seenBounds())?.contains(place.coordinate) == true
        else { return nil }
        let name = place.name(in: map.settings.nameLanguage), taken = Set(stored.regions.map(\.name))
        return ([name] + (2...(taken.count + 2)).map { "\(name) \($0)" }).first { !taken.contains($0) }
    }

    /// The name of a complete region that includes the area and zooms of a draft; nil for none.
    func regionHolding(_ draft: RegionDraft) -> String? {
        stored.regions.first { region in
            guard region.isFinished, region.failed == 0, let box = region.bounds, let zooms = region.zooms
            else { return false }
            let corners = [(draft.box.south, draft.box.west), (draft.box.north, draft.box.east)]
            return corners.allSatisfy { box.contains(Coordinate(latitude: $0.0, longitude: $0.1)) }
                && zooms.contains(draft.zooms.lowerBound) && zooms.contains(draft.zooms.upperBound)
        }?.name
    }

    /// Returns the bounds of the view in degrees.
    func seenBounds() throws(Notice.Problem) -> Bounds {
        let box = map.viewport.box, isWhole = box.maxX - box.minX >= 1
        let northWest = Mercator.coordinate(WorldPoint(x: box.minX, y: box.minY))
        let southEast = Mercator.coordinate(WorldPoint(x: box.maxX, y: box.maxY))
        guard
            let bounds = Bounds(
                west: isWhole ? -180 : northWest.longitude, south: southEast.latitude,
                east: isWhole ? 180 : southEast.longitude, north: northWest.latitude)
        else { throw Notice.Problem(DownloadText.noMap) }
        return bounds
    }

    /// Shows why a download was not started: in its panel, or as a notice if another key was pressed
    /// meanwhile.
    mutating func refuseDownload(_ plan: Result<RegionPlan, Notice.Problem>, _ draft: RegionDraft) -> [Effect]
    {
        if case .download(draft) = input.retryable { return show(DownloadPanel(draft, plan, at: map.now)) }
        switch plan {
        case .success(let plan):
            return complain(DownloadText.refusal(plan.verdict))
        case .failure(let problem): return complain(problem.description)
        }
    }

    mutating func receiveRegions(_ response: AnyResponse) -> [Effect] {
        switch response[RegionListQuery.self]?.value {
        case .success(let items): return receive(items)
        case .failure(let problem) where panels[RegionsPanel.self] == nil:
            return complain(problem.description)
        case .failure, nil: break
        }
        if let response = response[StartRegion.self] {
            switch response.value {
            case .started(let outcome): return report(outcome) + [.ask(RegionListQuery())]
            case .refused(let plan): return refuseDownload(plan, response.query.draft)
            }
        }
        let outcome = response[RegionAction.self]?.value ?? response[RenameRegion.self]?.value
        return outcome.map { report($0) + [.ask(RegionListQuery())] } ?? []
    }

    mutating func receive(_ news: OfflineNews) -> [Effect] {
        switch news {
        case .regions(let items): return receive(items)
        case .regionDone(let outcome): return report(outcome) + [.ask(RegionListQuery())]
        case .packageProgress(let progress): return receive(progress)
        case .notice(let text): return say(text)
        }
    }

    mutating func receive(_ items: [RegionItem]) -> [Effect] {
        // Packages are regions, too, and another program may install or remove them.
        let hasChanged = stored.regions.map(\.id) != items.map(\.id) && panels[PackagesPanel.self] != nil
        stored.regions = items
        streets.note(items)
        stored.cache.heat.expire()
        return askInPanels() + (hasChanged ? [.ask(PackageListQuery())] : [])
    }

    /// Wordings such as "⇣ Turku 61 % 12/s 76 s +1", longest first; empty if no region is being downloaded.
    var downloadState: [String] {
        guard let item = stored.regions.first(where: \.isUnderWay) else { return [] }
        let others = stored.regions.count { $0.isUnderWay } - 1
        return progressWordings(
            item.name, item.percent, item.state == "running" ? "" : item.state,
            [item.pace, others > 0 ? "+\(others)" : ""].filter { !$0.isEmpty }.joined(separator: " "))
    }

    /// Returns the wordings of a download, from "⇣ Finland 61 % 12/s 76 s" to "⇣ 61 %".
    func progressWordings(
        _ name: String, _ percent: Int, _ state: String, _ pace: String
    ) -> [String] {
        let name = name.clipped(to: 24), arrow = map.settings.isUnicode ? "⇣" : "v"
        let wordings = [
            [name, "\(percent) %", state, pace], [name, "\(percent) %", state], [name, "\(percent) %"],
            ["\(percent) %"],
        ].map { ([arrow] + $0).filter { !$0.isEmpty }.joined(separator: " ") }
        return wordings.enumerated().filter { $0 == 0 || wordings[$0 - 1] != $1 }.map(\.element)
    }
}

extension Feature {
    var isTraffic: Bool { self == .trafficFlow || self == .trafficIncidents }
}
