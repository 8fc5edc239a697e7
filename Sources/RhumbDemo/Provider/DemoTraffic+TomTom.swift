internal import RhumbCore

/// TomTom's services: viewport, incident details, and the tiles of both generations.
extension DemoTraffic {
    static let noStore: HTTPHeaders = [
        "Cache-Control": "private, no-cache, no-store, max-age=0, must-revalidate"
    ]

    func tomtom(_ request: DemoRequest, _ path: [String]) -> DemoReply {
        if let reply = fault?.reply { return reply }
        let key = request.query("key") ?? ""
        guard key != "" && key != "bad" else { return DemoFault.badKey.reply ?? DemoReply(403) }
        let reply: DemoReply
        switch (path.first, path.dropFirst().first, path.dropFirst(2).first) {
        case ("traffic", "services", "4"): reply = viewport(Array(path.dropFirst(3)))
        case ("traffic", "services", "5"): reply = details(request, Array(path.dropFirst(3)))
        case ("traffic", "map", "4"): reply = classicTile(request, Array(path.dropFirst(3)))
        case ("maps", "orbis", "traffic"): reply = orbisTile(request, Array(path.dropFirst(3)))
        default: return DemoFault.wrongVersion.reply ?? DemoReply(596)
        }
        return reply.adding(DemoTraffic.noStore)
    }

    // MARK: Models

    /// Answers incidentViewport/{box}/{zoom}/{box}/{zoom}/{copyright}/{format}.
    private func viewport(_ path: [String]) -> DemoReply {
        guard path.count == 7, path[0] == "incidentViewport", path[6] == "json" else {
            return rejected("path")
        }
        for at in [1, 3] {
            guard let zoom = Int(path[at + 1]), isBox(path[at], zoom: zoom) else { return rejected("box") }
        }
        let state: JSON = ["@trafficAge": .integer(age), "@trafficModelId": .string(model)]
        return .json(200, ["viewpResp": ["trafficState": state, "@version": "4", "@maps": "demo"]])
    }

    /// Returns true for a valid box in the form minY,minX,maxY,maxX in metres, with sides of at most sixteen
    /// tiles.
    private func isBox(_ text: String, zoom: Int) -> Bool {
        let edges = text.split(separator: ",").compactMap { Double($0) }
        guard edges.count == 4, (0...22).contains(zoom), edges[0] < edges[2], edges[1] < edges[3],
            abs(edges[0]) <= Mercator.halfWorld + 1, abs(edges[2]) <= Mercator.halfWorld + 1
        else { return false }
        let tile = 2 * Mercator.halfWorld / Double(1 << zoom)
        return max(edges[2] - edges[0], edges[3] - edges[1]) <= 16.001 * tile
    }

    private func rejected(_ what: String) -> DemoReply {
        let error: JSON = ["@errorCode": 400, "@description": .string("invalid \(what)"), "@version": "4"]
        return .json(400, ["errorResponse": error])
    }

    // MARK: Tiles

    /// Answers tile/flow/{style}/{z}/{x}/{y}.png and tile/incidents/….
    private func classicTile(_ request: DemoRequest, _ path: [String]) -> DemoReply {
        if path.last?.hasSuffix(".pbf") == true { return vectorTile(request, path) }
        guard path.count == 6, path[0] == "tile", let tile = DemoTraffic.tile(path.suffix(3), ".png"),
            let side = side(request.query("tileSize") ?? "256")
        else { return .invalid("no such tile") }
        if path[1] == "incidents" {
            guard IncidentStyle(rawValue: path[2]) != nil else { return .invalid("unknown style") }
            return incidents(tile, side, request.query("t"))
        }
        guard path[1] == "flow", let mode = FlowMode(rawValue: path[2]) else {
            return .invalid("unknown style")
        }
        let thickness = request.query("thickness")
        guard thickness == nil || mode.takesThickness, let width = Int(thickness ?? "10"),
            (1...20).contains(width)
        else { return .invalid("thickness not supported") }
        return .png(
            DemoPicture.flow(
                tile, side: side, moment: moment, width: 0.3 * Double(width), marker: DemoTraffic.marker
            ) { DemoPalette.flow(mode, $0, $1) })
    }

    /// Answers tile/flow/{z}/{x}/{y}.png and tile/incidents/….
    private func orbisTile(_ request: DemoRequest, _ path: [String]) -> DemoReply {
        guard path.count == 5, path[0] == "tile", request.query("apiVersion") == "1",
            let tile = DemoTraffic.tile(path.suffix(3), ".png"),
            let side = side(request.query("tileSize") ?? "256"),
            let style = request.query("style"), ["light", "dark"].contains(style)
        else { return .invalid("no such tile") }
        if path[1] == "incidents" { return incidents(tile, side, request.query("t")) }
        guard path[1] == "flow" else { return .invalid("no such tile") }
        return .png(
            DemoPicture.flow(tile, side: side, moment: moment, width: 3, marker: DemoTraffic.marker) {
                share, _ in
                DemoPalette.orbis(style == "dark", share)
            })
    }

    private func incidents(_ tile: TileID, _ side: Int, _ model: String?) -> DemoReply {
        guard let moment = moment(of: model) else { return .invalid("traffic model id out of date") }
        let file = DemoPicture.incidents(
            tile, side: side, moment: moment, marker: DemoTraffic.marker, paint: DemoPalette.incident)
        return DemoReply.png(file).adding([TrafficModel.header: DemoTraffic.model(of: moment)])
    }

    func side(_ text: String) -> Int? { Int(text).flatMap { [256, 512].contains($0) ? $0 : nil } }

    /// Parses the path components z, x and y, with a file extension.
    static func tile(_ parts: ArraySlice<String>, _ ending: String) -> TileID? {
        let parts = Array(parts)
        guard parts.count == 3, parts[2].hasSuffix(ending), let zoom = Int(parts[0]), zoom <= 22,
            let x = Int(parts[1]), let y = Int(parts[2].dropLast(ending.count))
        else { return nil }
        return TileID(zoom: zoom, x: x, y: y)
    }
}
