public import RhumbCore
internal import RhumbEngine

/// The features at the point, on maps whose tiles can be queried.
extension HerePanel {
    mutating func askFeatures(_ browser: Browser) -> [Action] {
        guard let question = browser.featureQuestion(at: browser.pointedPlace) else {
            features = Loadable()
            return []
        }
        return browser.isAtRest && features.ask(question, at: browser.map.now)
            ? [.effect(browser.request(question))] : []
    }

    /// Returns the lines about features; empty if only image tiles are shown.
    func featureLines(_ browser: Browser) -> [PanelText.Line] {
        guard browser.featureQuestion(at: browser.pointedPlace) != nil else { return [] }
        return [.init(text: ""), .init(text: HereText.onMap, style: .bold)] + foundLines(browser)
    }

    /// The name of the place at the point, with its kind and height, such as "Mont Blanc, peak, 4806 m"; nil
    /// if nothing there has a name.
    func headline(_ browser: Browser) -> String? {
        let sought = browser.soughtName
        guard case .success(let found)? = features.current,
            let feature = found.first(where: { feature in
                feature.name.map { $0.value == sought ?? $0.value } ?? false
            }), let name = feature.name?.value
        else { return unmappedHeadline(sought ?? browser.pointedLabel, browser) }
        let stated = feature.value(of: ["ele", "elevation"]).flatMap(Double.init)
        // Many peaks have no height in the tiles, but the list of peaks or stored heights know it.
        let isPeak = ["peak", "volcano", "hill"].contains(feature.kindWords ?? "")
        let listed = isPeak ? listedHeight(name, browser) : nil
        let stored = isPeak ? metres(at: browser.pointedPlace) : nil
        let known = stated ?? listed
        let height = (known ?? stored).map { metres in
            (known == nil ? "about " : "")
                + PlaceFormat.height(Int(clamping: metres.rounded()), browser.map.settings.units)
        }
        let text = [name, feature.kindWords, height].compactMap(\.self).joined(separator: ", ")
        return browser.map.settings.isUnicode ? text : Transliteration.ascii(text)
    }

    /// Returns the height of a peak at the point in the list of peaks; nil if it has none.
    private func listedHeight(_ name: String, _ browser: Browser) -> Double? {
        NaturalFeature.peak(named: name, at: browser.pointedPlace)?.height.map(Double.init)
    }

    /// The zoom below which the country is the place.
    private static let countryZoom = 4.0

    /// Returns the headline of a place that is no feature of a tile: that of a peak in the list of places, or
    /// of the country in a view of the world.
    private func unmappedHeadline(_ name: String?, _ browser: Browser) -> String? {
        let found =
            surroundings.asked?.place == browser.pointedPlace ? surroundings.current.flatMap(\.self) : nil
        guard let name else {
            let isWorld = browser.map.viewport.camera.zoom < Self.countryZoom
            return isWorld ? found?.first(.country)?.name : nil
        }
        let peak = found?.first(.peak).flatMap { $0.name == name && ($0.metres ?? 0) < 100 ? $0 : nil }
        let listed = NaturalFeature.peak(named: name, at: browser.pointedPlace)
        guard peak != nil || listed != nil else { return name }
        let measured = (peak?.height ?? metres(at: browser.pointedPlace)).map { Int(clamping: $0.rounded()) }
        let height = (listed?.height ?? measured).map {
            (listed?.height == nil ? "about " : "") + PlaceFormat.height($0, browser.map.settings.units)
        }
        return [name, "peak", height].compactMap(\.self).joined(separator: ", ")
    }

    private func foundLines(_ browser: Browser) -> [PanelText.Line] {
        switch features.current {
        case nil: [.init(text: "…")]
        case .failure(let problem): browser.wrapped(SafeText.sanitised(problem.description, limit: 200))
        case .success(let found) where found.isEmpty:
            [.init(text: browser.pointedLabel ?? HereText.nothing)]
        case .success(let found): lines(of: found, browser)
        }
    }

    private func lines(of found: [MapFeature], _ browser: Browser) -> [PanelText.Line] {
        let (band, others) = found.partedByHeight
        let height =
            band.map { [PanelText.Line(text: $0.text(isUnicode: browser.map.settings.isUnicode))] } ?? []
        let all = height + others.flatMap { lines(of: $0, browser) }
        return all.isEmpty ? [.init(text: browser.pointedLabel ?? HereText.nothing)] : all
    }

    /// Returns lines such as "Via Roma: roads", followed by the attributes and the style's layers that draw
    /// it.
    private func lines(of feature: MapFeature, _ browser: Browser) -> [PanelText.Line] {
        let isLive = browser.map.layers.contains { $0.live?.name == feature.layer }
        guard isLive || showsData(browser) else {
            let name = feature.name?.value, kind = feature.kindWords
            let parts = [name, kind ?? (name == nil ? nil : feature.layer)].compactMap(\.self)
            return parts.isEmpty ? [] : browser.wrapped(parts.joined(separator: ", "))
        }
        let name = feature.name
        let title = [name.map { $0.value + ":" }, feature.layer].compactMap(\.self).joined(separator: " ")
        let rest = feature.attributes.filter { $0 != name }.map { "\($0.name) \($0.value)" }.joined(
            separator: ", ")
        let layers = feature.styleLayers.joined(separator: ", ")
        let drawnBy = isLive ? "" : HereText.drawn(by: layers)
        let below = [rest, drawnBy].filter { !$0.isEmpty }
        return browser.wrapped(title)
            + below.flatMap { browser.wrapped($0, indent: 2) }.map { .init(text: "  " + $0.text) }
    }
}

extension MapFeature {
    /// Returns the value of the first of some attributes that it has.
    fileprivate func value(of names: [String]) -> String? { attribute(of: names)?.value }

    private func attribute(of names: [String]) -> Attribute? {
        names.firstNonNil { name in
            attributes.first { $0.name == name && !Self.meaningless.contains($0.value) }
        }
    }

    /// The values that don't tell a kind.
    private static let meaningless: Set<String> = [
        "", "other", "unknown", "unspecified", "yes", "no", "default",
    ]

    /// The kind in words, such as "pedestrian street"; nil if no attribute tells it.
    fileprivate var kindWords: String? {
        let names = [
            "subclass", "class", "kind", "kind_detail", "highway", "natural", "amenity", "place", "waterway",
            "railway", "tourism", "leisure", "shop", "man_made", "building", "landuse", "pmap:kind",
        ]
        guard let attribute = attribute(of: names) else { return nil }
        let kind = attribute.value.replacing("_", with: " ")
        let areas = ["residential", "commercial", "industrial", "retail"]
        if areas.contains(kind), layer == "landuse" || attribute.name == "landuse" { return "\(kind) area" }
        let streets = ["residential", "living", "service", "unclassified"]
        let roads = ["primary", "secondary", "tertiary", "trunk", "minor", "major"]
        if kind == "pedestrian" { return "pedestrian street or square" }
        return streets.contains(kind) ? "\(kind) street" : roads.contains(kind) ? "\(kind) road" : kind
    }
}

extension Browser {
    /// The label on the map at the point that `i` describes; nil for none.
    fileprivate var pointedLabel: String? {
        let label =
            label(at: Int(point.column), Int(point.row))
            ?? (pointing.marks.count == 1 ? pointing.clicked.label : nil)
            ?? foundName
        return label.map { map.settings.isUnicode ? $0 : Transliteration.ascii($0) }
    }

    /// The name of the search result that `i` describes; nil if it is not at the point.
    private var foundName: String? {
        guard let found = search.found, !found.name.isEmpty else { return nil }
        let cell = map.viewport.cell(of: Mercator.world(found.place))
        return abs(cell.column - point.column) <= 2 && abs(cell.row - point.row) <= 1 ? found.name : nil
    }

    /// The maximum distance of points and lines, in map pixels. It is about a cell.
    private static let featureReach = 4.0

    /// Returns the query for the features at a point, with the layers of traffic before those of maps,
    /// topmost first; nil if no layer has features.
    func featureQuestion(at place: Coordinate) -> FeatureQuestion? {
        let maps = map.layers.reversed().filter { $0.isVisible && $0.isDescribed }.map(\.id)
        let layers = (traffic.status?.described ?? []) + maps
        return layers.isEmpty ? nil : FeatureQuestion(place: place, layers: layers, zoom: labelZoom)
    }

    func request(_ question: FeatureQuestion) -> Effect {
        let reach = Browser.featureReach / map.viewport.camera.worldPixels
        return .ask(FeatureQuery(question: question, reach: reach))
    }
}

/// A query for the traffic incidents around a place.
public struct IncidentQuery: Query {
    /// The place.
    public let place: Coordinate
    /// The radius in metres.
    public let radius: Double

    public typealias Response = Result<[TrafficIncident], Notice.Problem>
}

/// The traffic incidents around the point.
extension HerePanel {
    /// The maximum number of incidents listed.
    private static let mostIncidents = 5
    /// The maximum distance of incidents from the point, in rows of cells.
    private static let incidentReach = 3.0

    /// Queries the incidents around the point while incidents are shown. Each query is billed.
    mutating func askIncidents(_ browser: Browser) -> [Action] {
        let mayAsk =
            !browser.map.isOffline
            || browser.stored.configuration.passThroughFeatures.contains(.trafficIncidents)
        guard browser.traffic.choice.incidents != nil, mayAsk else {
            incidents = Loadable()
            return []
        }
        let place = browser.pointedPlace
        guard browser.isAtRest, incidents.ask(place, at: browser.map.now) else { return [] }
        let metres = Mercator.metresPerPixel(latitude: place.latitude, zoom: browser.map.viewport.camera.zoom)
        return [
            .ask(
                IncidentQuery(
                    place: place, radius: metres * browser.map.viewport.pixelsPerRow * HerePanel.incidentReach
                ))
        ]
    }

    /// Returns the lines about incidents; empty if none are shown and no traffic is omitted.
    func incidentLines(_ browser: Browser) -> [PanelText.Line] {
        let leftOut = browser.traffic.status?.leftOut.map { [.init(text: "")] + browser.wrapped($0) } ?? []
        guard browser.traffic.choice.incidents != nil else { return leftOut }
        let title = PanelText.Line(text: HereText.incidents, style: .bold)
        return [.init(text: ""), title] + incidentTexts(browser).flatMap { browser.wrapped($0) } + leftOut
    }

    private func incidentTexts(_ browser: Browser) -> [String] {
        guard incidents.asked != nil else { return [browser.map.isOffline ? HereText.notOffline : "…"] }
        switch incidents.current {
        case nil: return [HereText.loading]
        case .failure(let problem): return [SafeText.sanitised(problem.description, limit: 200)]
        case .success(let found) where found.isEmpty: return [HereText.noIncidents]
        case .success(let found):
            let lines = found.prefix(HerePanel.mostIncidents).map {
                SafeText.sanitised($0.summary, limit: 300)
            }
            let left = found.count - lines.count
            return lines + (left > 0 ? ["and \(left) more"] : [])
        }
    }
}
