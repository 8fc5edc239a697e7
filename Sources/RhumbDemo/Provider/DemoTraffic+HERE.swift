internal import RhumbCore

/// HERE's Traffic Raster Tile service, version 3. Tiles change every other minute and have validators.
extension DemoTraffic {
    /// Returns the reply to flow/mc/{z}/{x}/{y}/png.
    func here(_ request: DemoRequest, _ path: [String]) -> DemoReply {
        switch fault {
        case .badKey: return DemoTraffic.unauthorized
        case .tooFast:
            return .json(429, ["title": "Too many requests", "status": 429]).adding(["Retry-After": "60"])
        case .outage, .wrongVersion: return DemoReply(fault == .outage ? 503 : 404)
        case .oldModel, .damage, nil: break
        }
        let key = request.query("apiKey") ?? ""
        guard key != "" && key != "bad" else { return DemoTraffic.unauthorized }
        guard path.count == 6, path[0] == "flow", path[1] == "mc", path[5] == "png",
            let tile = DemoTraffic.tile(path[2...4], ""), let side = side(request.query("size") ?? "512")
        else {
            return .json(
                400,
                ["title": "Malformed request", "status": 400, "code": "E622001", "cause": "no such tile"])
        }
        return flow(tile, side, request)
    }

    private static var unauthorized: DemoReply {
        .json(401, ["error": "Unauthorized", "error_description": "apiKey invalid. apiKey not found."])
    }

    private func flow(_ tile: TileID, _ side: Int, _ request: DemoRequest) -> DemoReply {
        let moment = moment / 2 * 2
        let etag = "\"\(moment)-\(tile.zoom)-\(tile.x)-\(tile.y)-\(side)\""
        let made = UnixSeconds(Int64(moment * DemoTraffic.modelSeconds))
        let headers: HTTPHeaders = ["ETag": etag, "Last-Modified": "\(made)", "Cache-Control": "max-age=60"]
        if request.headers.first("If-None-Match") == etag { return DemoReply(304, headers: headers) }
        let file = DemoPicture.flow(
            tile, side: side, moment: moment, width: 3, marker: DemoTraffic.harmlessMarker
        ) { share, _ in DemoPalette.here(share) }
        return DemoReply.png(file).adding(headers)
    }
}
