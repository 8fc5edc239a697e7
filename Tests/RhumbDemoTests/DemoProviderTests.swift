import RhumbCore
import RhumbDemo
import RhumbDrawing
import Testing

struct DemoProviderTests {
    private let provider = DemoTraffic { 1_800_000_030 }

    private func ask(_ target: String, headers: HTTPHeaders = [:]) -> DemoReply {
        provider.answer(DemoRequest(target: target, headers: headers))
    }

    @Test(arguments: FlowMode.allCases.map(\.rawValue))
    func `flow tiles are images in TomTom's colours with a header that forbids storing`(
        style: String
    ) throws {
        let reply = ask("/traffic/map/4/tile/flow/\(style)/12/2301/1184.png?key=k&tileSize=512")
        let raster = try SniffingDecoder().decode(reply.body, limits: .tile)
        #expect(raster.width == 512 && !raster.isOpaque)
        #expect(reply.body.firstRange(of: Array(DemoTraffic.marker.utf8)) != nil)
        #expect(CacheControl(of: reply.headers).noStore)
        let mode = try #require(FlowMode(rawValue: style))
        let opaque = stride(from: 0, to: raster.pixels.count, by: 4).filter { raster.pixels[$0 + 3] == 255 }
        let colours = Set(
            opaque.map { at in
                RGB(red: raster.pixels[at], green: raster.pixels[at + 1], blue: raster.pixels[at + 2])
            })
        #expect(Set(colours.compactMap { FlowColours(mode).level(of: $0) }).count >= 2)
    }

    @Test(arguments: [
        ("/traffic/map/4/tile/flow/nope/1/0/0.png?key=k", 400),
        ("/traffic/map/4/tile/flow/relative/1/2/0.png?key=k", 400),
        ("/traffic/map/4/tile/flow/relative0/1/0/0.png?key=k&thickness=5", 400),
        ("/traffic/map/4/tile/flow/relative/1/0/0.png?key=k&thickness=21", 400),
        ("/traffic/map/4/tile/flow/relative/1/0/0.png?key=k&tileSize=300", 400),
        ("/traffic/map/4/tile/flow/relative/1/0/0.png", 403),
        ("/traffic/map/4/tile/flow/relative/1/0/0.png?key=bad", 403),
        ("/traffic/map/5/tile/flow/relative/1/0/0.png?key=k", 596),
        ("/traffic/map/4/tile/incidents/s0/1/0/0.png?key=k&t=17", 400),
        ("/traffic/map/4/tile/incidents/s0/1/0/0.png?key=k&t=1800000000", 200),
        ("/traffic/map/4/tile/incidents/s0/1/0/0.png?key=k&t=1799999940", 200),
        ("/traffic/map/4/tile/incidents/s0/1/0/0.png?key=k&t=1799999880", 400),
        ("/traffic/map/4/tile/incidents/s0/1/0/0.png?key=k&t=-1", 200),
        ("/traffic/map/4/tile/flow/relative/1/0/0.pbf?key=k&tags=[road_type]", 200),
        ("/traffic/map/4/tile/flow/relative0/1/0/0.pbf?key=k", 400),
        ("/traffic/map/4/tile/flow/relative/1/0/2.pbf?key=k", 400),
        ("/traffic/map/4/tile/flow/relative/1/0/0.pbf?key=bad", 403),
        ("/traffic/map/4/tile/incidents/1/0/0.pbf?key=k&t=1800000000", 200),
        ("/traffic/map/4/tile/incidents/1/0/0.pbf?key=k&t=17", 400),
        ("/traffic/services/4/incidentViewport/0,0,.1,.1/0/0,0,.1,.1/0/false/json?key=k", 200),
        ("/traffic/services/4/incidentViewport/0,0,9e6,9e6/9/0,0,.1,.1/0/false/json?key=k", 400),
        ("/traffic/services/4/incidentViewport/1,0,0,1/9/0,0,.1,.1/0/false/json?key=k", 400),
        ("/v3/flow/mc/1/0/0/png?apiKey=k", 200), ("/v3/flow/mc/1/0/0/png?apiKey=bad", 401),
        ("/v3/flow/mc/1/0/0/jpg?apiKey=k", 400), ("/v3/flow/mc/99/0/0/png?apiKey=k", 400), ("/x", 404),
        ("/", 404),
        ("/maps/orbis/traffic/tile/flow/1/0/0.png?apiVersion=1&key=k&style=dark", 200),
        ("/maps/orbis/traffic/tile/flow/1/0/0.png?apiVersion=3&key=k&style=dark", 400),
        ("/traffic/services/5/incidentDetails?key=k&bbox=1,1,1.1,1.1", 200),
        ("/traffic/services/5/incidentDetails?key=k&bbox=1,1,1.1", 400),
    ])
    func `a request gets the status of the real service`(target: String, status: Int) {
        #expect(ask(target).status == status)
    }

    @Test func `vector tiles have TomTom's layers and validators, and a header that forbids storing`() throws
    {
        for (path, names) in [
            ("flow/relative/12/2301/1184", ["Traffic flow"]),
            ("incidents/12/2301/1184", ["Traffic incidents flow", "Traffic incidents POI"]),
        ] {
            let target = "/traffic/map/4/tile/\(path).pbf?key=k", reply = ask(target)
            #expect(try VectorTile(reply.body).layerNames == names)
            #expect(CacheControl(of: reply.headers).noStore)
            #expect(reply.body.firstRange(of: Array(DemoTraffic.marker.utf8)) != nil)
            let again = ask(target, headers: Validators(of: reply.headers).conditions)
            #expect(again.status == 304 && again.body.isEmpty)
        }
    }

    @Test func `an incident tile states its model`() {
        let reply = ask("/traffic/map/4/tile/incidents/s1/9/287/148.png?key=k")
        #expect(TrafficModel(of: reply.headers)?.id == "1800000000")
        provider.renew()
        let next = ask("/traffic/map/4/tile/incidents/s1/9/287/148.png?key=k")
        #expect(TrafficModel(of: next.headers)?.id == "1800000060")
    }

    @Test func `the model is reported with its age`() {
        let reply = ask("/traffic/services/4/incidentViewport/0,0,.1,.1/0/0,0,.1,.1/0/false/json?key=k")
        let answer = ViewportService.Answer(reading: reply.body)
        #expect(answer?.model.id == "1800000000" && answer?.age == .seconds(30))
    }

    @Test func `HERE's tiles have validators, and an unchanged one is not sent again`() {
        let first = ask("/v3/flow/mc/9/287/148/png?apiKey=k&size=256")
        let validators = Validators(of: first.headers)
        #expect(!validators.isEmpty && !CacheControl(of: first.headers).noStore)
        let again = ask("/v3/flow/mc/9/287/148/png?apiKey=k&size=256", headers: validators.conditions)
        #expect(again.status == 304 && again.body.isEmpty)
        #expect(first.body.firstRange(of: Array(DemoTraffic.harmlessMarker.utf8)) != nil)
    }

    @Test func `neighbouring tiles and zooms show the same roads`() throws {
        func column(_ tile: String, _ x: Int) throws -> [Bool] {
            let reply = ask("/traffic/map/4/tile/flow/relative/\(tile).png?key=k&thickness=20")
            let raster = try SniffingDecoder().decode(reply.body, limits: .tile)
            return (0..<256).map { raster.pixels[4 * ($0 * 256 + x) + 3] > 128 }
        }
        let west = try column("12/2301/1184", 255), east = try column("12/2302/1184", 0)
        let differing = zip(west, east).count { $0 != $1 }
        #expect(west.contains(true) && differing < 30)
    }

    @Test func `faults begin and end by requests for their paths`() {
        #expect(ask("/demo/fault/429").status == 200)
        let refused = ask("/v3/flow/mc/1/0/0/png?apiKey=k")
        #expect(refused.status == 429 && refused.headers.first("Retry-After") == "60")
        #expect(ask("/demo/fault/none").status == 200 && ask("/v3/flow/mc/1/0/0/png?apiKey=k").status == 200)
        #expect(ask("/demo/fault/7").status == 404)
    }
}
