internal import RhumbCore
internal import RhumbEngine

/// Downloading what is seen, and the regions there are.
extension Browser {
    /// A region asked for with one key reaches so many zooms below the view's.
    private static let usualDepth = 3

    // MARK: Planning

    /// The view as a region: the visible base maps that come over the network, each source once
    /// however many layers draw it.
    private func draft() throws(Notice.Problem) -> RegionDraft {
        var seen: Set<String> = []
        let web = layers.filter { $0.isVisible && $0.isFromWeb && !$0.feature.isTraffic }
            .filter { seen.insert($0.source.url(for: .world, of: $0) ?? $0.id).inserted }
        guard let first = web.first else {
            let name = base?.info.name ?? "the map"
            throw Notice.Problem("\(name) is on this machine already; :open osm or another web source, then d")
        }
        let box = viewport.box
        let corners = (Mercator.coordinate(WorldPoint(x: box.minX, y: box.minY)), Mercator.coordinate(WorldPoint(x: box.maxX, y: box.maxY)))
        let isWhole = box.maxX - box.minX >= 1
        guard let bounds = Bounds(
            west: isWhole ? -180 : corners.0.longitude, south: corners.1.latitude,
            east: isWhole ? 180 : corners.1.longitude, north: corners.0.latitude)
        else { throw Notice.Problem("there is no map in view to download") }
        let low = first.tileZoom(at: viewport.camera.zoom)
        let high = min(low + Browser.usualDepth, first.dataZooms.upperBound)
        return RegionDraft(
            name: placeName ?? "\(first.info.name) \(PlaceFormat.shortCoordinate(viewport.camera.coordinate, decimals: 2))",
            box: bounds, zooms: min(low, high)...high, layers: web.map(\.id))
    }

    private var placeName: String? { nil }

    mutating func openDownload() -> [Effect] {
        if case .download = panel {
            panel = nil
            return []
        }
        do throws(Notice.Problem) {
            let draft = try draft()
            panel = .download(DownloadPanel(draft: draft))
            return [.region(.plan(draft))] + followHeat() + sayWhatIsLeftOut()
        } catch {
            return complain(error.description)
        }
    }

    mutating func downloadAtOnce() -> [Effect] {
        do throws(Notice.Problem) {
            let draft = try draft()
            return [.region(.startIfAllowed(draft))] + sayWhatIsLeftOut()
        } catch {
            return complain(error.description)
        }
    }

    private mutating func sayWhatIsLeftOut() -> [Effect] {
        let hasTraffic = traffic != .off || layers.contains { $0.isVisible && $0.feature.isTraffic }
        return hasTraffic ? say("traffic is left out: it can't be stored") : []
    }

    mutating func learn(_ plan: Result<RegionPlan, Notice.Problem>, of draft: RegionDraft) -> [Effect] {
        var open = DownloadPanel(draft: draft)
        if case .download(let shown) = panel {
            guard shown.draft == draft else { return [] }
            open = shown
        }
        switch plan {
        case .success(let plan): (open.plan, open.problem) = (plan, nil)
        case .failure(let problem): (open.plan, open.problem) = (nil, problem.description)
        }
        panel = .download(open)
        return []
    }

    mutating func pressInDownload(_ key: Key, _ old: DownloadPanel) -> [Effect]? {
        var panel = old
        if let line = old.name { return typeName(key, line, panel) }
        var zooms = old.draft.zooms
        switch key {
        case .arrow(.right, _): zooms = zooms.lowerBound...min(zooms.upperBound + 1, TileID.maximumZoom)
        case .arrow(.left, _): zooms = min(zooms.lowerBound, max(zooms.upperBound - 1, 0))...max(zooms.upperBound - 1, 0)
        case .character("<"): zooms = max(zooms.lowerBound - 1, 0)...zooms.upperBound
        case .character(">"): zooms = min(zooms.lowerBound + 1, zooms.upperBound)...zooms.upperBound
        case .character("w"): panel.draft.isExact.toggle()
        case .character("y"): panel.draft.isPermitted = true
        case .tab:
            panel.name = LineEditor(panel.draft.name)
            self.panel = .download(panel)
            return []
        case .enter: return start(panel)
        default: return nil
        }
        panel.draft.zooms = zooms
        self.panel = .download(panel)
        return panel.draft == old.draft ? [] : [.region(.plan(panel.draft))]
    }

    private mutating func typeName(_ key: Key, _ line: LineEditor, _ old: DownloadPanel) -> [Effect] {
        var panel = old, line = line
        if key == .enter || key == .tab || key == .escape {
            if key != .escape, !line.string.trimmed.isEmpty { panel.draft.name = line.string.trimmed }
            panel.name = nil
        } else {
            _ = line.type(key)
            panel.name = line
        }
        self.panel = .download(panel)
        return panel.draft == old.draft ? [] : [.region(.plan(panel.draft))]
    }

    private mutating func start(_ panel: DownloadPanel) -> [Effect] {
        guard let plan = panel.plan else { return [] }
        guard plan.verdict == .allowed else {
            return complain(plan.verdict.lines.first ?? "it can't be downloaded")
        }
        self.panel = nil
        return [.region(.start(panel.draft))]
    }

    // MARK: The list

    mutating func openRegions() -> [Effect] {
        _ = toggle(.regions(RegionsPanel()))
        return [.region(.list)] + followHeat()
    }

    mutating func learn(_ items: [RegionItem]) -> [Effect] {
        regions = items
        if case .regions(var open) = panel {
            open.row = min(open.row, max(items.count - 1, 0))
            panel = .regions(open)
        }
        return followHeat()
    }

    mutating func pressInRegions(_ key: Key, _ old: RegionsPanel) -> [Effect]? {
        var panel = old
        defer { if self.panel == .regions(old) { self.panel = .regions(panel) } }
        if let question = panel.question {
            panel.question = nil
            guard key == .character("y"), regions.indices.contains(panel.row) else { return [] }
            return [.region(.act(question, id: regions[panel.row].id))]
        }
        if let step = key.scroll(page: 5) {
            panel.row = min(max(panel.row + step, 0), max(regions.count - 1, 0))
            return []
        }
        guard regions.indices.contains(panel.row) else { return nil }
        let item = regions[panel.row]
        switch key {
        case .enter: return item.bounds.map { fly(to: viewport.fitted(to: $0, margin: 0.9)) } ?? []
        case .character("R"): return [.region(.act(.refresh, id: item.id))]
        case .character("t"): return [.region(.act(.retry, id: item.id))]
        case .character("p") where item.isFinished: return say("\(item.name) is \(item.state): there is nothing to pause")
        case .character("p"): return [.region(.act(item.isUnderWay && item.state != "paused" ? .pause : .resume, id: item.id))]
        case .character("e"): return [.region(.act(.export, id: item.id))]
        case .character("n"):
            prompt = Prompt(kind: .regionName(id: item.id))
            prompt?.line = LineEditor(item.name)
            return []
        case .character("x"): panel.question = .remove
        case .character("C"): panel.question = .cancel
        default: return nil
        }
        return []
    }
}

extension Feature {
    var isTraffic: Bool { self == .trafficFlow || self == .trafficIncidents }
}
