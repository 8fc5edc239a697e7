internal import RhumbCore

/// TomTom's vector tiles of traffic. Unlike raster tiles, they have validators, so that unchanged tiles
/// aren't sent again.
extension DemoTraffic {
    /// Answers tile/flow/{style}/{z}/{x}/{y}.pbf and tile/incidents/{z}/{x}/{y}.pbf.
    func vectorTile(_ request: DemoRequest, _ path: [String]) -> DemoReply {
        guard path.first == "tile", let tile = DemoTraffic.tile(path.suffix(3), ".pbf") else {
            return .invalid("no such tile")
        }
        if path.count == 5, path[1] == "incidents" {
            guard let moment = moment(of: request.query("t")) else {
                return .invalid("traffic model id out of date")
            }
            let reply = vectorReply(DemoVectors.incidents(tile, moment, words: words), request)
            return reply.adding([TrafficModel.header: DemoTraffic.model(of: moment)])
        }
        guard path.count == 6, path[1] == "flow", let mode = FlowMode(rawValue: path[2]), mode.measure == mode
        else {
            return .invalid("unknown style")
        }
        return vectorReply(DemoVectors.flow(tile, moment, mode), request)
    }

    private func vectorReply(_ tile: [UInt8], _ request: DemoRequest) -> DemoReply {
        let body = fault == .damage ? Array(tile.prefix(tile.count * 2 / 3)) : tile
        let etag = "W/\"\(FNV1a.hash(body))\""
        if request.headers.first("If-None-Match") == etag { return DemoReply(304, headers: ["ETag": etag]) }
        return DemoReply.vectorTile(body).adding(["ETag": etag])
    }
}

/// Encodes tiles of the fictional road network as Mapbox Vector Tiles.
private enum DemoVectors {
    private typealias Attributes = [(String, VectorValue)]
    private static let extent = 4096

    static func flow(_ tile: TileID, _ moment: Int, _ mode: FlowMode) -> [UInt8] {
        var layer = VectorTileWriter(layer: "Traffic flow", extent: extent)
        for road in DemoRoad.crossing(tile.box, upTo: tile.zoom + 2) {
            for (line, share) in runs(of: road, tile, moment) where mode != .relativeDelay || share < 1 {
                layer.add(.line, [line], attributes(road, share, mode))
            }
        }
        return layer.bytes
    }

    static func incidents(_ tile: TileID, _ moment: Int, words: (DemoIncident) -> String) -> [UInt8] {
        var lines = VectorTileWriter(layer: "Traffic incidents flow", extent: extent)
        var points = VectorTileWriter(layer: "Traffic incidents POI", extent: extent)
        for incident in DemoIncident.near(tile.box, upTo: tile.zoom + 2, moment: moment) {
            let line = incident.line.map { place($0, tile) }
            guard line.contains(where: isNear) else { continue }
            let attributes: Attributes = [
                ("id", .string("\(DemoTraffic.marker) \(incident.id)")),
                ("icon_category", .number(Double(incident.category))),
                ("magnitude", .number(Double(incident.magnitude))), ("description", .string(words(incident))),
                ("delay", .number(incident.category == 8 ? 0 : Double(incident.magnitude * 150))),
                ("road_type", .string(type(incident.road))),
            ]
            lines.add(.line, [line], attributes)
            points.add(.point, [[place(incident.place, tile)]], attributes)
        }
        return lines.bytes + points.bytes
    }

    private static func attributes(_ road: DemoRoad, _ share: Double, _ mode: FlowMode) -> Attributes {
        let level = mode == .absolute ? (share * road.freeSpeed).rounded() : share
        return [
            ("id", .string(DemoTraffic.marker)), ("road_type", .string(type(road))),
            ("traffic_level", .number(level)),
            ("traffic_road_coverage", .string("full")), ("left_hand_traffic", .bool(false)),
        ] + (share < 0.01 ? [("road_closure", .bool(true))] : [])
    }

    private static func type(_ road: DemoRoad) -> String {
        switch road.level {
        case ...8: "Motorway"
        case ...11: "Major road"
        case ...14: "Secondary road"
        default: "Local road"
        }
    }

    /// Returns the parts of a road on a tile with uniform flow. Flow is a share of free flow, rounded to
    /// multiples of one twentieth.
    private static func runs(
        of road: DemoRoad, _ tile: TileID, _ moment: Int
    ) -> [([VectorTileWriter.Point], Double)] {
        let box = tile.box, step = (box.maxX - box.minX) / 64
        let start = road.isMeridian ? box.minY : box.minX
        var runs: [([VectorTileWriter.Point], Double)] = []
        for piece in -1...64 {
            let from = start + Double(piece) * step
            let line = [place(road.point(from), tile), place(road.point(from + step), tile)]
            guard line.contains(where: isNear) else { continue }
            let share = (road.flow(from + step / 2, moment: moment) * 20).rounded() / 20
            if let last = runs.last, last.1 == share, last.0.last == line[0] {
                runs[runs.count - 1].0.append(line[1])
            } else {
                runs.append((line, share))
            }
        }
        return runs
    }

    private static func place(_ point: WorldPoint, _ tile: TileID) -> VectorTileWriter.Point {
        let box = tile.box, scale = Double(extent) / (box.maxX - box.minX)
        func whole(_ value: Double) -> Int32 { Int32(min(max(value * scale, -1e6), 1e6).rounded()) }
        return VectorTileWriter.Point(whole(point.x - box.minX), whole(point.y - box.minY))
    }

    /// Returns true if a point is on the tile or slightly beyond its edges.
    private static func isNear(_ point: VectorTileWriter.Point) -> Bool {
        let reach = -Int32(extent) / 16...Int32(extent) * 17 / 16
        return reach.contains(point.x) && reach.contains(point.y)
    }
}
