import Foundation
import Rhumb
import RhumbBrowser
@testable import RhumbMain
import RhumbStore
import RhumbTestSupport
import Testing

private let missing: Comment = "no real tiles here; see RHUMB_TEST_DATA"

/// Asks questions about Florence and Monaco. The test computes their answers from the tiles with its own
/// code, and looks for them in the descriptions.
struct DescriptionQuestionTests {
    private struct Question {
        let words: String
        let place: Coordinate
        /// The line must contain all of them.
        let answer: [String]
    }

    /// A feature of the tiles, with coordinates.
    private struct Feature {
        let layer: String
        let name: String
        let facts: [String: String]
        let isLine: Bool
        let parts: [[Coordinate]]
    }

    private static func features(_ file: String, _ zoom: Int) throws -> [Feature] {
        let archive = try Archive.open(try #require(TestData.folder) + "/" + file)
        var found: [Feature] = [], tiles: [TileID] = []
        try archive.eachTile { if $0.zoom == zoom { tiles.append($0) } }
        for tile in tiles {
            guard case .bitmap(.encoded(let bytes)) = try archive.tile(tile) else { continue }
            let read = try VectorTile(bytes)
            for at in read.layerNames.indices where !read.layerNames[at].hasPrefix("building") {
                let layer = try read.layer(at: at)
                var shapes = GeometryReader()
                for feature in layer.features where shapes.read(feature, of: layer) {
                    let facts = (layer.attributes(of: feature) ?? [:]).mapValues(\.text)
                    guard let name = facts["name"] ?? facts["name:latin"] else { continue }
                    let shape = shapes.geometry
                    let parts = (0..<shape.partCount).map { part in
                        shape.points[shape.part(part)].map { coordinate($0, tile, layer.extent) }
                    }
                    let isInside =
                        feature.kind != .point
                        || shape.points.allSatisfy { all($0 .>= 0) && all($0 .< Int32(layer.extent)) }
                    guard isInside else { continue }
                    found.append(
                        Feature(
                            layer: layer.name, name: name, facts: facts, isLine: feature.kind == .line,
                            parts: parts))
                }
            }
        }
        return found
    }

    private static func coordinate(_ point: SIMD2<Int32>, _ tile: TileID, _ extent: Int) -> Coordinate {
        let side = pow(2, Double(tile.zoom))
        let x = (Double(tile.x) + Double(point.x) / Double(extent)) / side
        let y = (Double(tile.y) + Double(point.y) / Double(extent)) / side
        return Coordinate(
            latitude: atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi, longitude: x * 360 - 180)
    }

    // MARK: Geometry of the test's own

    private static func offset(_ from: Coordinate, _ to: Coordinate) -> SIMD2<Double> {
        SIMD2(
            (to.longitude - from.longitude) * 111_320 * cos(from.latitude * .pi / 180),
            (to.latitude - from.latitude) * 111_200)
    }

    private static func distance(_ from: Coordinate, _ to: Coordinate) -> Double {
        let step = offset(from, to)
        return hypot(step.x, step.y)
    }

    private static func compass(_ step: SIMD2<Double>) -> String {
        let names = [
            "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
        ]
        return names[(Int((atan2(step.x, step.y) * 4 / .pi).rounded()) + 8) % 8]
    }

    /// Returns the angle in degrees between a direction and the border between two compass points.
    private static func clarity(_ step: SIMD2<Double>) -> Double {
        let eighths = atan2(step.x, step.y) * 4 / .pi
        return (0.5 - abs(eighths - eighths.rounded())) * 45
    }

    /// Returns the offset of the nearest point of a line.
    private static func nearest(_ place: Coordinate, _ parts: [[Coordinate]]) -> SIMD2<Double> {
        var best = SIMD2<Double>(1e9, 1e9)
        for part in parts {
            for (a, b) in zip(part, part.dropFirst()) {
                for step in 0...40 {
                    let share = Double(step) / 40
                    let point = offset(place, a) * (1 - share) + offset(place, b) * share
                    if hypot(point.x, point.y) < hypot(best.x, best.y) { best = point }
                }
            }
        }
        return best
    }

    // MARK: Questions

    private static func nearest(
        _ kind: String, _ places: [(name: String, place: Coordinate)], among: [Feature], radius: Double = 1900
    ) -> [Question] {
        places.compactMap { name, place in
            let near = among.map { ($0.name, offset(place, $0.parts[0][0])) }
                .sorted { hypot($0.1.x, $0.1.y) < hypot($1.1.x, $1.1.y) }
            guard near.count > 1, hypot(near[0].1.x, near[0].1.y) < radius,
                hypot(near[0].1.x, near[0].1.y) > 30,
                clarity(near[0].1) > 3, hypot(near[1].1.x, near[1].1.y) - hypot(near[0].1.x, near[0].1.y) > 3
            else { return nil }
            return Question(
                words: "the nearest \(kind) of \(name)", place: place,
                answer: [near[0].0, compass(near[0].1)])
        }
    }

    /// Asks which street crosses another to the west or to the east of the first segment of a piece.
    private static func crossings(
        _ features: [Feature], isRoad: (Feature) -> Bool, limit: Int
    ) -> [Question] {
        let roads = features.filter { $0.isLine && isRoad($0) }
        func key(_ place: Coordinate) -> SIMD2<Int> {
            SIMD2(Int((place.latitude * 1e6).rounded()), Int((place.longitude * 1e6).rounded()))
        }
        var namesAt: [SIMD2<Int>: Set<String>] = [:], cornersOf: [String: [SIMD2<Int>: Coordinate]] = [:]
        for road in roads {
            for place in road.parts.joined() {
                namesAt[key(place), default: []].insert(road.name)
                cornersOf[road.name, default: [:]][key(place)] = place
            }
        }
        var questions: [Question] = [], seen: Set<String> = []
        for road in roads.sorted(by: { $0.name < $1.name }) where questions.count < limit {
            guard !seen.contains(road.name), let part = road.parts.first, part.count > 2,
                distance(part[0], part[1]) > 40
            else { continue }
            let place = Coordinate(
                latitude: (part[0].latitude + part[1].latitude) / 2,
                longitude: (part[0].longitude + part[1].longitude) / 2)
            let crossing = (cornersOf[road.name] ?? [:]).flatMap { key, corner in
                (namesAt[key] ?? []).subtracting([road.name]).map { ($0, offset(place, corner)) }
            }.filter { hypot($0.1.x, $0.1.y) < 300 && abs($0.1.x) > 1.2 * abs($0.1.y) && clarity($0.1) > 4 }
            for isWest in [true, false] {
                let side = crossing.filter { ($0.1.x < 0) == isWest }
                    .min { (hypot($0.1.x, $0.1.y), $0.0) < (hypot($1.1.x, $1.1.y), $1.0) }
                guard let side, seen.insert(road.name).inserted else { continue }
                questions.append(
                    Question(
                        words: "the street that crosses \(road.name) to the \(isWest ? "west" : "east")",
                        place: place, answer: [side.0, compass(side.1)]))
            }
        }
        return questions
    }

    private static func florence() throws -> [Question] {
        let all = try features("firenze-vector.pmtiles", 14)
        let center = Coordinate(latitude: 43.7696, longitude: 11.2558)
        let points = all.filter {
            !$0.isLine && $0.parts.joined().count == 1 && distance(center, $0.parts[0][0]) < 3500
        }
        func kind(_ key: String, _ values: String...) -> [Feature] {
            points.filter { values.contains($0.facts[key] ?? "") }
        }
        let museums = kind("tourism", "museum"), libraries = kind("amenity", "library", "theatre")
        func places(_ features: [Feature], _ count: Int) -> [(name: String, place: Coordinate)] {
            features.sorted { $0.name < $1.name }.prefix(count).map { ($0.name, $0.parts[0][0]) }
        }
        let arno = all.filter { $0.isLine && $0.name == "Fiume Arno" }.flatMap(\.parts)
        let sides = places(museums + libraries, 40).compactMap { name, place -> Question? in
            let way = nearest(place, arno)
            guard hypot(way.x, way.y) < 1800, clarity(way) > 4 else { return nil }
            return Question(
                words: "the side of the Arno of \(name)", place: place,
                answer: ["The river Arno is", "its \(compass(-way)) side"])
        }
        let roads = crossings(all, isRoad: { $0.layer == "roads" }, limit: 400).filter {
            distance(center, $0.place) < 3000
        }
        let worship = nearest(
            "church", places(museums, 30), among: kind("amenity", "place_of_worship")
        ).prefix(6)
        let hospitals = nearest("hospital", places(museums, 30), among: kind("amenity", "hospital")).prefix(6)
        let stations = nearest(
            "station", places(libraries, 30), among: kind("railway", "station", "halt"))
        let nextMuseums = nearest("museum", places(libraries, 30), among: museums)
        let quarters = nearest(
            "quarter", places(museums, 30), among: all.filter { $0.facts["place"] == "neighbourhood" })
        let towns = places(museums, 3).map {
            Question(words: "the town of \($0.name)", place: $0.place, answer: ["Florence", "Italy"])
        }
        return [
            sides.prefix(10), roads.prefix(18), worship, hospitals, stations.prefix(6), nextMuseums.prefix(6),
            quarters.prefix(4), towns[...],
        ].flatMap(\.self)
    }

    private static func monaco() throws -> [Question] {
        let all = try features("monaco-omt.mbtiles", 14), points = all.filter { $0.layer == "poi" }
        func kind(_ name: String) -> [Feature] { points.filter { $0.facts["class"] == name } }
        let places = (kind("lodging") + kind("school") + kind("town_hall")).sorted { $0.name < $1.name }
            .map { ($0.name, $0.parts[0][0]) }
        let roads = crossings(
            all, isRoad: { $0.layer == "transportation_name" && $0.facts["class"] != "rail" }, limit: 60)
        let sea = places.suffix(4).map { name, place in
            Question(
                words: "the side of the sea of \(name)", place: place, answer: ["The sea is ", "south-east"])
        }
        return sea + roads.prefix(5)
            + nearest("quarter", places, among: all.filter { $0.facts["class"] == "suburb" }).prefix(6)
            + places.prefix(4).map {
                Question(words: "the country of \($0.0)", place: $0.1, answer: ["Monaco"])
            }
    }

    @Test(.enabled(if: TestData.isPresent, missing))
    func `19 of 20 questions about Florence and Monaco are answered by the text`() async throws {
        let home = TemporaryFolder()
        var options = MapSession.Options(userAgent: try UserAgent("RhumbTests/1.0 (+https://rhumb.example)"))
        options.isOffline = true
        options.cache = home.path + "/tiles.db"
        options.places = EmbeddedPlaces.open
        let session = await MapSession.open(options)
        defer { session.close() }
        for file in ["firenze-vector.pmtiles", "monaco-omt.mbtiles"] {
            let path = try #require(TestData.folder) + "/" + file
            session.offlineSearch.add(try Archive.open(path), path: path)
        }
        let describer = PlaceDescriber(session: session, terrain: HeightSource(nil, session))
        let questions = try Self.florence() + Self.monaco()
        var right = 0
        for question in questions {
            let lines = DescriptionText(try await describer.describe(question.place)).lines(limit: 25)
            #expect(lines.reduce(0) { $0 + $1.utf8.count + 1 } < 2000)
            // The entries of a list count one by one.
            let entries = lines.flatMap {
                $0.contains(": ") ? $0.split(separator: ";").map(String.init) : [$0]
            }
            let isRight = entries.contains { entry in question.answer.allSatisfy(entry.contains) }
            if isRight {
                right += 1
            } else {
                print("not answered: \(question.words): \(question.answer)\n  \(lines)")
            }
        }
        print("\(right) of \(questions.count) questions are answered")
        #expect(questions.count >= 70 && right * 20 >= questions.count * 19)
    }
}
