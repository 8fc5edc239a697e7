@testable import RhumbOverlays
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests positions of Meshtastic networks, in the stream protocol and in JSON lines.
struct MeshtasticTests {
    private func read(
        _ parts: [UInt8]..., interrupted: Bool = false
    ) -> (
        features: [OverlayFeature], faults: Int, hasList: Bool
    ) {
        var reader = FeatureReader(isLive: true, format: .meshtastic), features: [OverlayFeature] = []
        for part in parts {
            reader.read(part)
            features += reader.takeFeatures()
            if interrupted { reader.interrupt() }
        }
        return (features, reader.faults.count, reader.hasList)
    }

    private static let node = MeshtasticFixture.node(
        0x0A1B_2C3D, name: "Base camp", latitude: 604_500_000, longitude: 222_700_000, time: 1_790_000_000)

    @Test func `the list of nodes gives names, positions and the age of each`() throws {
        let read = read(Self.node + MeshtasticFixture.end), node = try #require(read.features.first)
        #expect(node.id == "mesh !0a1b2c3d" && node.name == "Base camp" && node.time == 1_790_000_000)
        let place = Mercator.coordinate(node.middle)
        #expect(abs(place.latitude - 60.45) < 1e-7 && abs(place.longitude - 22.27) < 1e-7)
        #expect(read.hasList && read.faults == 0 && read.features.count == 1)
        #expect(node.style?.ink != nil, "an old position is grey")
    }

    @Test func `a position packet moves a node and draws its trail`() throws {
        let moved = MeshtasticFixture.position(
            0x0A1B_2C3D, latitude: 604_600_000, longitude: 222_700_000, time: 1_790_000_060)
        let features = read(Self.node, moved).features
        #expect(features.map(\.id) == ["mesh !0a1b2c3d", "mesh !0a1b2c3d trail", "mesh !0a1b2c3d"])
        #expect(features.last?.name == "Base camp")
        #expect(features[1].paths.first?.points.count == 2 && features[1].isTrack)
        #expect(features[1].paths.first?.times == [1_790_000_000, 1_790_000_060])
    }

    @Test(arguments: [(5, 9000, 90), (5, 0, 0), (0, 9000, nil)] as [(UInt32, UInt32, Float?)])
    func `a node that moves has a heading, one at rest has none`(
        speed: UInt32, track: UInt32, heading: Float?
    )
        throws
    {
        let position = MeshtasticFixture.position(
            7, latitude: 604_500_000, longitude: 222_700_000, time: 1_790_000_000, motion: (speed, track))
        let found = try #require(read(position).features.last).heading
        #expect(heading.map { $0 == found } ?? found.isNaN)
    }

    @Test func `a coarse position is a square of the size that its bits leave open`() throws {
        let coarse = MeshtasticFixture.position(
            7, latitude: 604_500_000, longitude: 222_700_000, time: 0, precision: 13)
        let features = read(coarse).features, square = try #require(features.first)
        #expect(features.map(\.id) == ["mesh !00000007 area", "mesh !00000007"])
        let box = square.box, width = (box.maxX - box.minX) * 360
        // 2^19 ten-millionths of a degree.
        #expect(abs(width - 0.0524288) < 1e-6)
        #expect(features.last?.attributes["position"] == "coarse, within 2.9 km")
        let exact = MeshtasticFixture.position(7, latitude: 604_500_000, longitude: 222_700_000, time: 0)
        let later = read(coarse + exact).features
        #expect(later[2].id == "mesh !00000007 area" && later[2].box.maxX == later[2].box.minX)
        #expect(later.last?.attributes["position"] == nil)
    }

    @Test func `frames are found among other bytes and in parts of any size`() {
        let bytes = Array("INFO | boot\r\n".utf8) + Self.node + [0x94, 0x00, 0x94] + Self.node
        for size in [1, 3, 7, 64] {
            var reader = FeatureReader(isLive: true, format: .meshtastic), count = 0
            for start in stride(from: 0, to: bytes.count, by: size) {
                reader.read(bytes[start..<min(start + size, bytes.count)])
                count += reader.takeFeatures().count
            }
            #expect(count == 2 && reader.faults.count == 0)
        }
    }

    @Test func `a frame that is cut off does not hide the next one`() {
        let cut = Array(Self.node.dropLast(9))
        let read = read(cut + Self.node + Self.node)
        #expect(read.features.count >= 1 && read.faults > 0)
        #expect(self.read(cut, Self.node, interrupted: true).faults == 0)
    }

    @Test func `too long frames, unknown messages and impossible places are skipped`() {
        #expect(read([0x94, 0xC3, 0xFF, 0xFF] + Self.node).features.count == 1)
        #expect(read(MeshtasticFixture.frame([0x32, 2, 1, 2])).features.isEmpty)
        let none = MeshtasticFixture.position(7, latitude: 0, longitude: 0, time: 0)
        #expect(read(none).features.isEmpty)
        let north = MeshtasticFixture.position(7, latitude: 950_000_000, longitude: 0, time: 0)
        #expect(read(north).features.isEmpty && read(north).faults > 0)
    }

    @Test func `damaged streams never crash, and good frames after them are read`() {
        var random = SplitMix(seed: 46)
        for _ in 0..<2000 {
            var bytes = Self.node + MeshtasticFixture.position(9, latitude: 1, longitude: 2, time: 3)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            var reader = FeatureReader(isLive: true, format: .meshtastic)
            reader.read(bytes)
            reader.interrupt()
            _ = reader.takeFeatures()
            reader.read(Self.node)
            #expect(reader.takeFeatures().contains { $0.id == "mesh !0a1b2c3d" })
        }
    }

    @Test func `lines of a gateway's JSON name nodes and place them`() throws {
        let read = ReadFeatures(
            """
            {"channel":0,"from":7,"id":1,"payload":{"hardware":10,"id":"!00000007","longname":"Ada","shortname":"A"},"sender":"!1","timestamp":1790000000,"to":1,"type":"nodeinfo"}
            {"channel":0,"from":7,"id":2,"payload":{"altitude":12,"latitude_i":604500000,"longitude_i":222700000,"precision_bits":32,"time":1790000000},"sender":"!1","timestamp":1790000001,"to":1,"type":"position"}
            {"channel":0,"from":7,"id":3,"payload":{"battery_level":90},"sender":"!1","timestamp":1790000002,"to":1,"type":"telemetry"}

            """)
        #expect(read.faults == [])
        let node = try #require(read.features.first)
        #expect(read.features.count == 1 && node.name == "Ada" && node.attributes["height"] == "12 m")
        #expect(node.time == 1_790_000_000)
    }
}
