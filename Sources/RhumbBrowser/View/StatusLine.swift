internal import RhumbCore
internal import RhumbEngine

/// The line under the map. Pieces that don't fit are dropped, the least important first; coordinates, zoom,
/// source and attribution are only shortened.
struct StatusLine {
    /// A piece of the line with its wordings, longest first. A piece whose last wording is empty may be
    /// dropped.
    struct Piece {
        let wordings: [String]
        /// The importance; pieces with lower values are shortened first.
        let importance: Int
        /// The importance of the last wording before the empty one; nil for that of the others.
        var briefImportance: Int?

        /// Returns the importance of a wording, by its index.
        fileprivate func importance(of wording: Int) -> Int {
            wording >= wordings.count - 2 ? briefImportance ?? importance : importance
        }
    }

    private let pieces: [Piece]

    init(_ pieces: [Piece]) {
        self.pieces = pieces.filter { $0.wordings.contains { !$0.isEmpty } }
    }

    /// The importance from which pieces are only shortened, and only after the gaps between them.
    static let essential = 6

    /// Returns the line, shortened to a number of columns.
    func text(columns: Int) -> String {
        var chosen = pieces.map { _ in 0 }, gap = 3
        func line(_ chosen: [Int], _ gap: Int) -> String {
            zip(pieces, chosen).map { $0.wordings[$1] }.filter { !$0.isEmpty }
                .joined(separator: String(repeating: " ", count: gap))
        }
        func fits(_ chosen: [Int], _ gap: Int) -> Bool { line(chosen, gap).width <= columns - 1 }
        func importance(_ at: Int) -> Int { pieces[at].importance(of: chosen[at]) }
        while !fits(chosen, gap) {
            let next = pieces.indices.filter { chosen[$0] < pieces[$0].wordings.count - 1 }
                .min { importance($0) < importance($1) }
            if gap > 1, next.map({ importance($0) >= StatusLine.essential }) ?? true {
                gap -= 1
            } else if let next {
                chosen[next] += 1
            } else {
                break
            }
        }
        // A piece shortened later may have left room for earlier ones.
        for at in pieces.indices.sorted(by: { pieces[$0].importance > pieces[$1].importance }) {
            for wording in 0..<chosen[at] {
                var longer = chosen
                longer[at] = wording
                if fits(longer, gap) {
                    chosen = longer
                    break
                }
            }
        }
        while gap < 3, fits(chosen, gap + 1) { gap += 1 }
        return " " + line(chosen, gap)
    }
}

extension Browser {
    func statusLine(_ scene: Scene, hasAttribution: Bool) -> String {
        let zoom = map.viewport.camera.zoom, place = toldPlace
        let coordinates = [
            PlaceFormat.coordinate(place, zoom: zoom),
            PlaceFormat.shortCoordinate(place, decimals: 3),
            PlaceFormat.shortCoordinate(place, decimals: 1),
        ]
        let bar = ScaleBar(
            viewport: map.viewport, units: map.settings.units, limit: max(map.viewport.columns / 6, 10),
            isUnicode: map.settings.isUnicode)
        let times = map.settings.isUnicode ? "×" : "x"
        var pieces = [
            StatusLine.Piece(wordings: [input.repeatCount.map { "\($0)\(times)" } ?? "", ""], importance: 5),
            StatusLine.Piece(wordings: [markedDistance ?? "", ""], importance: 5),
            StatusLine.Piece(
                wordings: [markedDistance == nil ? placeWords : "", ""],
                importance: pointing.marks.isEmpty ? 3 : 5),
            StatusLine.Piece(wordings: coordinates, importance: 8),
            StatusLine.Piece(wordings: [PlaceFormat.zoom(zoom), "z\(max(Int(zoom), 0))"], importance: 9),
            StatusLine.Piece(wordings: [bar?.text ?? "", ""], importance: 2),
            StatusLine.Piece(wordings: sourceWordings, importance: 7),
            StatusLine.Piece(wordings: silenceWordings + [""], importance: 5),
            StatusLine.Piece(wordings: [networkState(scene), ""], importance: 5),
            StatusLine.Piece(
                wordings: (packageState.isEmpty ? downloadState : packageState) + [""],
                importance: map.isOffline ? 4 : 5, briefImportance: 7),
            StatusLine.Piece(wordings: trafficWordings, importance: 7),
            StatusLine.Piece(wordings: [positionWords, ""], importance: 5),
            StatusLine.Piece(wordings: guidanceWordings, importance: 7),
            StatusLine.Piece(wordings: sourceStates + [""], importance: 4),
            StatusLine.Piece(wordings: [workText(scene), ""], importance: 5),
        ]
        // Without a hint line, the three keys that lead to all others are here.
        if map.settings.showsHints, !Browser.hasHintLine(map.rows, map.settings) {
            pieces.append(StatusLine.Piece(wordings: ["/ ? q", "?", ""], importance: 10))
        }
        if hasAttribution {
            pieces.append(StatusLine.Piece(wordings: attributionWordings, importance: 6))
        }
        return StatusLine(pieces).text(columns: map.columns)
    }

    /// The wordings of the traffic status. Its age is never dropped.
    private var trafficWordings: [String] {
        guard let status = traffic.status else { return [""] }
        return [status.description] + (status.age.map { [$0.short] } ?? [])
    }

    private var sourceWordings: [String] {
        let name = base?.info.name ?? StatusText.noMap
        let others = map.layers.count { $0.isVisible && !$0.refinesBase && !hasNothing($0) } - 1
        let full = others > 0 ? "\(name) +\(others)" : name
        return [full, full.clipped(to: 16), full.clipped(to: 8), full.clipped(to: 4)]
    }

    /// True for an overlay whose origin can't be read or has nothing to show.
    private func hasNothing(_ layer: TileLayer) -> Bool {
        overlays.statuses[layer.id].map { $0.problem != nil && $0.count == 0 } ?? false
    }

    /// The wordings for a server that does not reply, such as "no reply from tiles.example for 12 s", longest
    /// first. Empty if all servers reply.
    private var silenceWordings: [String] {
        guard let silence = map.silence, !map.isOffline else { return [] }
        return [
            "\(StatusText.noReply(from: silence.host)) for \(silence.seconds) s",
            "no reply for \(silence.seconds) s",
        ]
    }

    /// Returns the panel lines about a server that does not reply; empty if all servers reply.
    func silenceLines(indent: Int = 0) -> [PanelText.Line] {
        guard let silence = map.silence, !map.isOffline else { return [] }
        let seconds = "\(silence.seconds) s", margin = String(repeating: " ", count: indent)
        var lines = wrapped(StatusText.noReply(from: silence.host), indent: indent + seconds.width + 1).map {
            PanelText.Line(text: margin + $0.text, style: .bold)
        }
        lines[lines.count - 1].right = seconds
        return lines
    }

    /// Returns warnings that the map may be stale; empty if it is not.
    private func networkState(_ scene: Scene) -> String {
        [reachability(scene), editionState(scene)].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Returns a text such as "edition 1, newest 2" if a newer edition exists than the shown one.
    private func editionState(_ scene: Scene) -> String {
        let older = scene.layers.filter { $0.pictures.contains { $0.mark.edition != nil } }
        guard let layer = older.first, let shown = scene.olderEditions.first,
            let newest = layer.layer.source.origin(of: layer.layer)?.edition
        else { return "" }
        func name(_ edition: TileEdition) -> String { SafeText.sanitised("\(edition)", limit: 24) }
        return shown.version == newest.version
            ? StatusText.olderEdition : StatusText.edition(name(shown), newest: name(newest))
    }

    private func reachability(_ scene: Scene) -> String {
        if map.isOffline { return "offline" }
        if !map.isNetworkThere || scene.unreachableCount > 0 { return StatusText.noNetwork }
        guard scene.staleCount > 0 else { return "" }
        let refusals = scene.layers.flatMap(\.pictures).compactMap(\.mark.trouble)
        if refusals.contains(where: { $0.reason == .refused }) { return StatusText.refused }
        return refusals.isEmpty ? StatusText.stale : StatusText.staleWithoutReply
    }

    /// The data zoom from which maps have streets.
    private static let streetZoom = 10

    /// The reasons why a map is empty here, longest wording first.
    private var sourceStates: [String] {
        guard let base else { return [] }
        if base.isTooFarOut(at: map.viewport.camera.zoom) {
            let needed =
                Double(base.sourceZooms.lowerBound - base.tileSize.zoomOffset)
                - TileLayer.shrinkReach
            return [StatusText.zoomIn(needed)]
        }
        let deepest = Double(base.sourceZooms.upperBound - base.tileSize.zoomOffset)
        let beyond = map.viewport.camera.zoom - deepest
        if let data = base.drawing?.dataZooms.upperBound, data < Browser.streetZoom,
            map.viewport.camera.zoom > Double(data) + 1.5
        {
            // An open panel takes these keys.
            guard panels.isEmpty else { return [StatusText.noDetail] }
            guard offersStreets else { return StatusText.noMoreDetail }
            // The hints begin with the same offer.
            return Browser.hasHintLine(map.rows, map.settings) ? [] : [StatusText.streets]
        }
        return beyond >= 0.75 ? [StatusText.enlarged(deepest)] : []
    }

    private func workText(_ scene: Scene) -> String {
        var parts: [String] = []
        let arrow = map.settings.isUnicode ? "⇣" : "v"
        if scene.loadingCount > 0 { parts.append("\(arrow) \(scene.loadingCount)") }
        // The state of the network accounts for the others.
        let failed = scene.failedCount - scene.unreachableCount
        if failed > 0 { parts.append("! \(failed)") }
        return parts.joined(separator: " ")
    }

    /// The full attribution of the screen.
    var attribution: String {
        var seen: [String] = []
        let zoom = map.viewport.camera.zoom
        let isCovered = base?.refinesBase == true && map.screenUse.open == nil
        for layer in map.layers where layer.isShown(at: zoom) && isInView(layer) {
            if isCovered && layer.id == ground?.id { continue }
            let text = layer.info.attribution
            if !text.isEmpty && !seen.contains(text) { seen.append(text) }
        }
        return seen.joined(separator: " | ")
    }

    /// True if the layer's bounds overlap the view, in any copy of the world.
    private func isInView(_ layer: TileLayer) -> Bool {
        guard let boxes = layer.boundingBox?.worldBoxes else { return true }
        let view = map.viewport.box
        return boxes.contains { box in
            (-1...1).contains { turn in
                view.overlaps(
                    WorldBox(
                        minX: box.minX + Double(turn), minY: box.minY, maxX: box.maxX + Double(turn),
                        maxY: box.maxY))
            }
        }
    }

    /// The wordings of the attribution, from the full text to a sign with the key `i`, which shows the full
    /// text.
    var attributionWordings: [String] {
        let whole = map.settings.isUnicode ? attribution : attribution.replacingSign
        guard !whole.isEmpty else { return [""] }
        let sign = map.settings.isUnicode ? "©" : "(c)"
        let more = map.settings.isUnicode ? " · i" : ", i"
        guard whole.width > 12 else { return [whole, whole.hasPrefix(sign) ? sign : "\(sign) i"] }
        let isOSM = whole.contains("OpenStreetMap"), isLong = whole.width > 24
        // A clipped text must not hide that there are further providers, such as that of hills.
        let clipped =
            isLong && whole.contains(" | ")
            ? whole.clipped(to: 24 - more.width) + more : whole.clipped(to: 24)
        let short = isLong && !isOSM ? [clipped] : []
        let osm = isOSM ? [map.settings.isUnicode ? "© OSM · i" : "(c) OSM, i"] : []
        return [whole] + short + osm + [whole.hasPrefix(sign) ? sign : "\(sign) i"]
    }
}

extension String {
    /// The text with © replaced by ASCII.
    var replacingSign: String {
        var text = ""
        for character in self { text += character == "©" ? "(c)" : String(character) }
        return text
    }
}

extension TileLayer {
    /// True if the layer's tiles come from the network.
    var isFromWeb: Bool { source.url(for: .world, of: self) != nil || isNamedOnWeb }
}

/// The texts of the status line and of the whole screen.
enum StatusText {
    static let noMap = "no map"

    static func noReply(from host: String) -> String { "no reply from \(host)" }

    static let olderEdition = "older edition"

    static func edition(_ shown: String, newest: String) -> String { "edition \(shown), newest \(newest)" }

    static let noNetwork = "no network"
    static let refused = "stale, refused by server"
    static let stale = "stale"
    static let staleWithoutReply = "stale, no reply"

    static func zoomIn(_ zoom: Double) -> String { "zoom in to \(PlaceFormat.zoom(zoom))" }

    static let streets = "Enter: streets"

    static let noDetail = "no more detail"
    static let noMoreDetail = ["No more detail here · m: open another map", "\(noDetail) · m: maps"]

    static func enlarged(_ zoom: Double) -> String { "enlarged from \(PlaceFormat.zoom(zoom))" }

    /// Returns the wordings for a terminal that is too small, longest first.
    static func tooSmall(_ size: String, _ least: String) -> [String] {
        [
            "Terminal too small (\(size)); Rhumb needs at least \(least)", "Too small: needs \(least)",
            "needs \(least)", least, "!",
        ]
    }

    static func showStreets(_ source: String) -> String { "streets (\(source.clipped(to: 14)))" }

    static let noMatch = "No match"
    static let noFilterMatch = "No match. Press Esc to clear the filter."
    static let noMessages = "No messages yet"
}

/// A bar of a round length on the ground: "├─── 2 km ───┤", or "├──┤ 2 km" if it is short.
struct ScaleBar: Equatable {
    let text: String

    /// Chooses the longest round length whose bar fits into `limit` columns.
    init?(viewport: Viewport, units: Settings.Units, limit: Int, isUnicode: Bool) {
        let camera = viewport.camera
        let metres = Mercator.metresPerPixel(
            latitude: camera.coordinate.latitude, zoom: camera.zoom)
        let metresPerColumn = metres * Viewport.pixelsPerColumn
        guard limit >= 8, metresPerColumn > 0 else { return nil }
        let unit = ScaleBar.unit(for: metresPerColumn * Double(limit), units)
        let most = metresPerColumn * Double(limit) / unit.metres
        guard let length = ScaleBar.roundLength(below: most) else { return nil }
        let columns = Int((length * unit.metres / metresPerColumn).rounded())
        text = ScaleBar.draw("\(length.grouped(0)) \(unit.name)", columns, isUnicode)
    }

    private static func unit(
        for metres: Double, _ units: Settings.Units
    ) -> (name: String, metres: Double) {
        switch units {
        case .metric: metres >= 1000 ? ("km", 1000) : ("m", 1)
        case .imperial: metres >= 1609.344 ? ("mi", 1609.344) : ("ft", 0.3048)
        }
    }

    /// Returns the largest of 1, 2, 5, 10, 20, … that does not exceed a number.
    static func roundLength(below most: Double) -> Double? {
        guard most >= 1, most.isFinite else { return nil }
        var power = 1.0
        while power * 10 <= most { power *= 10 }
        return [5, 2, 1].map { $0 * power }.first { $0 <= most }
    }

    private static func draw(_ label: String, _ columns: Int, _ isUnicode: Bool) -> String {
        let line: Character = isUnicode ? "─" : "-"
        let ends = isUnicode ? ("├", "┤") : ("|", "|")
        let room = columns - 2 - label.count - 2
        guard room >= 0 else {
            // The bar is too short for its label, which follows it.
            return ends.0 + String(repeating: line, count: max(columns - 2, 0)) + ends.1 + " " + label
        }
        let left = String(repeating: line, count: room / 2)
        let right = String(repeating: line, count: room - room / 2)
        return "\(ends.0)\(left) \(label) \(right)\(ends.1)"
    }
}
