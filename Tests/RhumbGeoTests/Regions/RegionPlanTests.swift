import RhumbCore
import RhumbTestSupport
import Testing

struct RegionPlanTests {
    private func counts(_ rows: [(Int, Int)]) -> TileCounts {
        var counts = TileCounts()
        for (zoom, count) in rows { counts[zoom] = count }
        return counts
    }

    private func sample(_ sizes: [Int]) -> ByteSample {
        var sample = ByteSample()
        for size in sizes { sample.add(size) }
        return sample
    }

    private func source(_ rows: [(Int, Int)], _ change: (inout PlanSource) -> Void = { _ in }) -> PlanSource {
        var source = PlanSource(id: "osm", name: "OSM", counts: counts(rows))
        change(&source)
        return source
    }

    @Test func `stored tiles are not fetched again, and totals add up`() throws {
        let plan = RegionPlan(
            zooms: try ZoomRange(6, 7), packing: .exact,
            sources: [source([(6, 10), (7, 40)]) { $0.stored = [6: 4, 7: 99, 9: 7] }])
        #expect(plan.rows.map(\.stored) == [4, 40])
        #expect((plan.tiles, plan.stored, plan.toFetch) == (50, 44, 6))
        #expect(plan.verdict == .allowed && plan.isExact)
    }

    @Test func `tiles of the cache are not fetched, but take space in the region`() throws {
        let plan = RegionPlan(
            zooms: try ZoomRange(6, 6),
            sources: [
                source([(6, 10)]) {
                    $0.stored = [6: 7]
                    $0.cached = [6: 6]
                    $0.samples = [6: sample([8000, 8000])]
                }
            ])
        #expect(plan.toFetch == 3 && plan.size.bytes == 24_000 && plan.storedSize.bytes == 72_000)
    }

    @Test func `sizes are estimated from the zoom's own tiles, with a margin that narrows with more samples`()
    {
        let few = ByteEstimate(tiles: 1000, zoom: 12, samples: [12: sample([8000, 12000, 10000])])
        let many = ByteEstimate(
            tiles: 1000, zoom: 12,
            samples: [12: sample(Array(repeating: [8000, 12000], count: 500).flatMap { $0 })])
        #expect(few.bytes == 10_000_000 && many.bytes == 10_000_000)
        #expect(few.margin > many.margin && many.margin == 1_000_000)
    }

    @Test func `an unknown zoom uses the nearest one with a wide margin, or else a default`() {
        let samples = [10: sample([20_000, 20_000]), 15: sample([5000]), 13: ByteSample()]
        let borrowed = ByteEstimate(tiles: 100, zoom: 13, samples: samples)
        #expect(borrowed.bytes == 500_000 && borrowed.margin >= 350_000)
        let guess = ByteEstimate(tiles: 100, zoom: 13, samples: [:])
        #expect(guess.margin == guess.bytes && guess.bytes > 0)
        #expect(ByteEstimate(tiles: .max, zoom: 3, samples: [:]).bytes == .max)
    }

    @Test func `heights and large pictures without samples are not estimated as small pictures`() throws {
        let heights = ByteEstimate.usualTile(side: 256, isHeights: true)
        // Terrarium tiles of land as PNG have 60 to 140 kB.
        #expect(heights.bytes - heights.margin <= 60_000 && heights.bytes + heights.margin >= 140_000)
        let large = ByteEstimate.usualTile(side: 512, isHeights: true)
        #expect(large.bytes == 4 * heights.bytes && large.margin == 4 * heights.margin)
        #expect(ByteEstimate.usualTile(side: 1024).bytes == 16 * ByteEstimate.usualTile().bytes)
        let plan = RegionPlan(
            zooms: try ZoomRange(8, 8), sources: [source([(8, 10)]) { $0.usualTile = heights }])
        #expect(plan.size.bytes == 10 * heights.bytes)
    }

    @Test func `sizes of which every tile was measured are exact, and shown without a margin`() throws {
        let plan = RegionPlan(
            zooms: try ZoomRange(9, 9),
            sources: [
                source([(9, 1)]) {
                    $0.samples = [9: sample([81_400])]
                    $0.measuredZooms = [9]
                }
            ])
        #expect(plan.size == ByteEstimate(bytes: 81_400, margin: 0) && plan.size.text == "81.4 kB")
        #expect(ByteEstimate(bytes: 81_400, margin: 400).text == "81.4 kB ± 400 B")
    }

    @Test func `an addition is small if it has tiles and stays below a quarter of the others at most`() throws
    {
        func isSmall(_ tiles: Int, margin: Int) throws -> Bool {
            let others = source([(9, 100)]) {
                $0.samples = [9: sample(Array(repeating: 1000, count: 100))]
                $0.measuredZooms = [9]
            }
            let heights = source([(9, tiles)]) {
                $0.id = "heights"
                $0.usualTile = ByteEstimate(bytes: 1000, margin: margin)
            }
            return RegionPlan(zooms: try ZoomRange(9, 9), sources: [others, heights])
                .isSmallAddition("heights")
        }
        #expect(try isSmall(20, margin: 0) && !isSmall(25, margin: 0))
        #expect(try !isSmall(20, margin: 400) && !isSmall(0, margin: 0))
    }

    @Test func `a few absent tiles don't reduce the estimate for the others to nothing`() {
        let absent = sample([0, 0, 0, 0])
        let guess = ByteEstimate(tiles: 100, zoom: 14, samples: [14: absent])
        #expect(guess == ByteEstimate(tiles: 100, zoom: 14, samples: [:]))
        let borrowed = ByteEstimate(tiles: 100, zoom: 14, samples: [14: absent, 13: sample([8000, 8000])])
        #expect(borrowed.bytes == 800_000 && borrowed.margin > 0)
        #expect(
            ByteEstimate(tiles: 100, zoom: 14, samples: [14: sample(Array(repeating: 0, count: 30))]).bytes
                == 0)
    }

    @Test func `the mean and deviation are the same from sums as from tiles`() {
        let sizes = [3, 5, 9, 1, 1]
        let summed = ByteSample(count: 5, sum: 19, sumOfSquares: 117)
        #expect(sample(sizes) == summed && summed.mean == 3.8)
        #expect(abs(summed.deviation * summed.deviation - 11.2) < 1e-9)
    }

    @Test func `the time is that of the slowest source at its allowed rate`() throws {
        let quick = source([(6, 100)]) { ($0.id, $0.requestsPerSecond) = ("quick", 50) }
        let slow = source([(6, 100)]) { $0.requestsPerSecond = 2 }
        let thin = source([(6, 100)]) {
            $0.id = "thin"
            $0.bytesPerSecond = 1000
            $0.samples = [6: sample([700, 700])]
        }
        #expect(RegionPlan(zooms: try ZoomRange(6, 6), sources: [quick, slow]).seconds == 50)
        #expect(RegionPlan(zooms: try ZoomRange(6, 6), sources: [quick, thin]).seconds == 70)
        #expect(RegionPlan(zooms: try ZoomRange(6, 6), sources: [source([(6, 100)])]).seconds == nil)
    }

    @Test func `a denied source determines the verdict, with its reason and address`() throws {
        let denied = source([(6, 1)]) {
            $0.permission = .denied(
                reason: "no bulk \u{1B}[2Jdownload", policyURL: "https://example.org/policy",
                alternative: "use an extract")
        }
        let plan = RegionPlan(zooms: try ZoomRange(6, 6), sources: [source([(6, 1)]), denied], freeDisk: 0)
        #expect(plan.verdict.word == "denied" && !plan.verdict.mayProceed)
        let text = plan.lines.joined(separator: "\n")
        #expect(
            text.contains("https://example.org/policy") && text.contains("use an extract")
                && !text.contains("\u{1B}"))
    }

    @Test func `a source that requires permission is listed once`() throws {
        let asking = source([(6, 1)]) { $0.permission = .ask(policyURL: "https://example.org") }
        let plan = RegionPlan(zooms: try ZoomRange(6, 6), sources: [asking])
        #expect(
            plan.verdict == .ask(sources: ["osm"], policyURLs: ["https://example.org"])
                && plan.verdict.mayProceed)
        let twice = RegionPlan(zooms: try ZoomRange(6, 6), sources: [asking, asking])
        #expect(twice.verdict == plan.verdict)
    }

    @Test(arguments: [(750, 40, 11), (45, 40, 10), (41, 40, nil), (40, 40, nil)] as [(Int, Int, Int?)])
    func `with too many packs the widest range that fits is proposed`(
        limit: Int, used: Int, highest: Int?
    ) throws {
        let rows = [(6, 1), (7, 4), (8, 16), (9, 64), (10, 256), (11, 1024)]
        let packs = PlanSource.PackUse(limit: limit, used: used, added: counts([(6, 2), (11, 30)]))
        let plan = RegionPlan(zooms: try ZoomRange(8, 11), sources: [source(rows) { $0.packs = packs }])
        if highest == 11 {
            #expect(plan.verdict == .allowed)
        } else {
            let proposal = try highest.map { try ZoomRange(8, $0) }
            #expect(
                plan.verdict
                    == .overPackLimit(
                        source: "osm", needed: 32, left: limit - used, limit: limit, proposal: proposal))
            #expect(plan.lines.contains { $0.contains("zooms 8-10 would fit") } == (highest != nil))
        }
    }

    @Test func `a plan that may not fit on the disk is rejected with the range that would`() throws {
        let samples = [6: sample([1000, 1000]), 7: sample([1000, 1000]), 8: sample([1000, 1000])]
        let plan = RegionPlan(
            zooms: try ZoomRange(6, 8), packing: .exact,
            sources: [source([(6, 10), (7, 40), (8, 160)]) { $0.samples = samples }], freeDisk: 100_000)
        guard case .overDisk(let needed, 100_000, let proposal) = plan.verdict else {
            Issue.record("the verdict is \(plan.verdict)")
            return
        }
        let smaller = try ZoomRange(6, 7)
        #expect(needed > 210_000 && proposal == smaller)
    }

    @Test func `a plan of billions of tiles is rejected with a smaller one`() throws {
        let cover = RegionTileSet(try .box(.world), zooms: try ZoomRange(0, 22))
        let plan = RegionPlan(
            zooms: try ZoomRange(0, 22), sources: [PlanSource(id: "own", name: "Own", counts: cover.counts())]
        )
        let smaller = try ZoomRange(0, 13)
        #expect(plan.verdict == .tooManyTiles(plan.tiles, proposal: smaller))
        #expect(plan.tiles > 20_000_000_000_000)
    }

    @Test func `if no source has a tile there is nothing to download`() throws {
        #expect(RegionPlan(zooms: try ZoomRange(6, 8), sources: [source([])]).verdict == .nothing)
    }

    @Test func `the text has a row for each zoom and a total, and the JSON has the same figures`() throws {
        let plan = RegionPlan(
            zooms: try ZoomRange(6, 7),
            sources: [
                source([(6, 1234), (7, 4000)]) {
                    $0.requestsPerSecond = 10
                    $0.samples = [6: sample([1000])]
                }
            ], freeDisk: 5_000_000_000)
        #expect(plan.lines[1].hasPrefix("OSM") && plan.lines[1].contains("1,234"))
        #expect(plan.lines[3].hasPrefix("all") && plan.lines[3].contains("5,234"))
        #expect(plan.lines.contains("time: at least 9 min") && plan.lines.contains("free on disk: 5 GB"))
        #expect(plan.json["tiles"] == 5234 && plan.json["rows"]?.array?.count == 2)
        #expect(plan.json["verdict"]?["word"] == "allowed")
    }
}

struct AmountTextTests {
    @Test(arguments: [
        (0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000"),
        (.max, "9,223,372,036,854,775,807"),
    ])
    func `counts are grouped`(count: Int, text: String) { #expect(AmountText.count(count) == text) }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (12_345, "12.3 kB"), (999_960, "1 MB"),
        (123_456_789, "123 MB"), (.max, "9.2 EB"),
    ])
    func `bytes have decimal units`(bytes: Int, text: String) {
        #expect(AmountText.bytes(bytes) == text)
    }

    @Test(arguments: [
        (0.0, "0 s"), (0.2, "1 s"), (99, "99 s"), (100, "2 min"), (5999, "100 min"), (7500, "2 h 5 min"),
        (7200, "2 h"), (270_000, "3 d 3 h"), (.nan, "0 s"),
    ])
    func `times have two units at most`(seconds: Double, text: String) {
        #expect(AmountText.seconds(seconds) == text)
    }
}
