@testable import RhumbOverlays
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests tracks coloured by speed and other values.
struct TrackColourTests {
    /// Returns a track north along a meridian with a point each second: a hundred slow segments, then a
    /// hundred fast ones, always climbing.
    private func track(times: Bool = true, heights: Bool = true) -> OverlayFeature {
        var latitude = 60.0
        let points = (0...200).map { at -> SIMD2<Double> in
            defer { latitude += at < 100 ? 0.00001 : 0.0001 }
            let point = Mercator.world(Coordinate(latitude: latitude, longitude: 22))
            return SIMD2(point.x, point.y)
        }
        let path = OverlayPath(
            points, heights: heights ? (0...200).map { Float($0) } : [],
            times: times ? (0...200).map { 1_700_000_000 + Double($0) } : [])
        return OverlayFeature(.line([path]), name: "way", isTrack: true)
    }

    private func styled(_ field: String, _ feature: OverlayFeature) -> OverlayStyling.Styled {
        OverlayStyling(by: field).styled([feature])
    }

    @Test func `an attribute that no feature has is reported with the existing ones`() {
        var attributes = OverlayAttributes()
        attributes.append("mag", "4.5")
        attributes.append("depth", "10")
        let features = [OverlayFeature(.point(WorldPoint(x: 0.5, y: 0.5)), attributes: attributes)]
        #expect(
            OverlayStyling(by: "size").problem(with: OverlayFeatureList(features))
                == "no feature has the attribute size; use one of depth, mag")
        for field in ["mag", "speed"] {
            #expect(OverlayStyling(by: field).problem(with: OverlayFeatureList(features)) == nil)
        }
        #expect(OverlayStyling(by: "size").problem(with: []) == nil)
    }

    @Test func `a track stays one feature, and is drawn in parts whose colours show the speed`() throws {
        let styled = styled("speed", track())
        #expect(styled.features.count == 1 && styled.legend?.title == "speed, km/h")
        let drawn = try #require(styled.drawn), parts = drawn.dropFirst()
        #expect(drawn.first?.name == "way" && parts.count >= 2)
        #expect(parts.first?.style?.ink != parts.last?.style?.ink)
        #expect(parts.allSatisfy { $0.style?.hasCasing == false })
        // Together, the parts are the whole track, without gaps.
        let ends = parts.map { ($0.paths[0].points.first, $0.paths[0].points.last) }
        #expect(zip(ends, ends.dropFirst()).allSatisfy { $0.1 == $1.0 })
        #expect(
            ends.first?.0 == drawn.first?.paths[0].points.first
                && ends.last?.1 == drawn.first?.paths[0].points.last)
    }

    @Test func `heights and times also colour a track, and without them it stays unchanged`() throws {
        let heights = styled("ele", track())
        #expect(heights.legend?.title == "height, m" && heights.drawn?.count == 6)
        #expect(heights.legend?.entries.first?.text == "0 – <40")
        #expect(styled("time", track()).legend?.entries.first?.text.hasPrefix("22:13:2") == true)
        #expect(
            styled("speed", track(times: false)).drawn == nil
                && styled("speed", track(times: false)).legend == nil)
        #expect(styled("height", track(heights: false)).legend == nil)
    }

    @Test(
        arguments: [
            (["1", "2", "3", "4", "5"], ["1 – <2", "2 – <3", "3 – <4", "4 – <5", "≥ 5"]),
            (
                ["2.53", "3.14", "4.07", "5.2", "7.05"],
                ["2.5 – <3.1", "3.1 – <4.0", "4.0 – <5.2", "5.2 – <7.0", "≥ 7.0"]
            ),
            (
                ["0.4", "3.217", "7.94", "12.06", "15.3", "19.8"],
                ["0 – <3", "3 – <7", "7 – <12", "12 – <15", "≥ 15"]
            ),
            (
                ["212", "633", "1187", "1610", "1993"],
                ["200 – <600", "600 – <1100", "1100 – <1600", "1600 – <1900", "≥ 1900"]
            ),
            (["1", "2", "5", "9", "1000000"], ["1 – <2", "2 – <5", "5 – <9", "9 – <1000000", "≥ 1000000"]),
            (["-0.25", "0.25"], ["-0.3 – <0.2", "≥ 0.2"]), (["7.5"], ["7.5"]), (["1e300", "-1e300"], nil),
        ] as [([String], [String]?)])
    func `limits of classes are round, with equal decimals, and no class is empty`(
        values: [String], words: [String]?
    ) {
        let features = values.map { value -> OverlayFeature in
            var feature = OverlayFeature(.point(WorldPoint(x: 0.5, y: 0.5)))
            feature.attributes.append("size", value)
            return feature
        }
        let styled = OverlayStyling(by: "size").styled(OverlayFeatureList(features))
        if let words { #expect(styled.legend?.entries.map(\.text) == words) }
        #expect(
            Set(styled.features.compactMap { $0.style?.ink }) == Set(styled.legend?.entries.map(\.ink) ?? []))
    }

    @Test func `a track with very many points is drawn in a bounded number of parts`() {
        let points = (0..<300_000).map { SIMD2(0.5 + Double($0) * 1e-8, 0.3) }
        let heights = (0..<300_000).map { Float($0 % 2 == 0 ? 0 : 1000) }
        let feature = OverlayFeature(.line([OverlayPath(points, heights: heights)]), isTrack: true)
        #expect((styled("height", feature).drawn?.count ?? 0) <= 2001)
    }
}
