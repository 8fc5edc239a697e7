import Glibc
import RhumbBase
import RhumbGeo
import RhumbTestSupport
import Testing

@testable import RhumbVector

/// Runs the test suite of the style specification on the expressions: the folder
/// `test/integration/expression/tests` of a checkout of maplibre-style-spec, in RHUMB_STYLE_SPEC.
struct SpecificationSuiteTests {
    private static let folder = getenv("RHUMB_STYLE_SPEC").map { String(cString: $0) }

    /// The number of cases that fail. They need states of features, ids that are texts, lists of colours, or
    /// images, or their features are farther from their tiles than Rhumb reads them.
    private static let failureLimit = 13

    @Test(.enabled(if: folder != nil, "RHUMB_STYLE_SPEC is not set"))
    func `expressions have the values of the style specification's test suite`() throws {
        let root = try #require(Self.folder)
        var failures: [String] = [], count = 0
        for operation in TestFiles.names(at: root).sorted() {
            for name in TestFiles.names(at: "\(root)/\(operation)").sorted() {
                guard let bytes = TestFiles.bytes(at: "\(root)/\(operation)/\(name)/test.json") else {
                    continue
                }
                count += 1
                let problem = SuiteCase(try JSON.parse(bytes)).problem
                if let problem { failures.append("\(operation)/\(name): \(problem)") }
            }
        }
        print("\(count - failures.count) of \(count) cases pass")
        failures.forEach { print($0) }
        #expect(count > 400 && failures.count <= Self.failureLimit)
    }
}

/// A case of the suite.
private struct SuiteCase {
    let json: JSON

    init(_ json: JSON) { self.json = json }

    private var specification: JSON? { json["propertySpec"] }

    private var type: StyleType? {
        switch specification?["type"]?.string {
        case "number": return .number
        case "color": return .colour
        case "string", "enum": return .string
        case "boolean": return .bool
        case "formatted": return .formatted
        case "resolvedImage": return .image
        case "null": return .null
        case "array":
            let items: [String: StyleType] = ["number": .number, "string": .string, "boolean": .bool]
            let item = specification?["value"]?.string.flatMap { items[$0] } ?? .value
            return .array(item, count: specification?["length"]?.int)
        default: return nil
        }
    }

    /// The difference from the expected values; nil if there is none.
    var problem: String? {
        var states: [String: StyleValue] = [:]
        for name in json["globalState"]?.object?.names ?? [] {
            states[name] = json["globalState"]?[name].map(StyleValue.init)
        }
        var parser = ExpressionParser(names: StyleNames(), states: states)
        let isInterpolated = specification?["expression"]?["interpolated"]?.bool ?? true
        let texts = specification?["values"]?.object?.names ?? []
        let expression = json["expression"] ?? .null
        let node =
            type.map {
                parser.property(
                    expression,
                    .init(
                        type: $0,
                        isInterpolated: isInterpolated && [.number, .colour].contains($0),
                        hasTokens: false, texts: Array(texts)))
            } ?? parser.expression(expression).flatMap { $0.node.usesZoomAsSpecified ? $0.node : nil }
        if json["expected"]?["compiled"]?["result"] == "error" {
            return node == nil
                ? nil : "must be rejected: \(json["expected"]?["compiled"]?["errors"]?.text ?? "")"
        }
        guard let node else { return "rejected: \(parser.problem ?? "")" }
        let outputs = json["expected"]?["outputs"]?.array ?? []
        for (index, (input, expected)) in zip(json["inputs"]?.array ?? [], outputs).enumerated() {
            var context = context(input, parser.names)
            let value = node.value(in: &context)
            if expected["error"] != nil {
                if let value { return "input \(index) must fail, but is \(value)" }
            } else if !matches(value, expected) {
                return "input \(index) is \(value.map { "\($0)" } ?? "no value"), not \(expected.text)"
            }
        }
        return nil
    }

    private func matches(_ value: StyleValue?, _ expected: JSON) -> Bool {
        guard let value else { return false }
        if let sections = expected["sections"]?.array {
            return value.text == sections.map { $0["text"]?.string ?? "" }.joined()
        }
        if let name = expected["name"]?.string, expected["available"] != nil { return value.text == name }
        switch value {
        case .colour(let colour):
            let channels = [colour.red, colour.green, colour.blue].map { $0 * colour.alpha } + [colour.alpha]
            let numbers = (expected.array ?? []).compactMap(\.double)
            return numbers.count == 4 && zip(channels, numbers).allSatisfy(isClose)
        case .number(let number): return expected.double.map { isClose(number, $0) } ?? (expected == .null)
        case .array(let items):
            let others = expected.array ?? []
            return expected.array != nil && items.count == others.count
                && zip(items, others).allSatisfy(matches)
        case .object(let members):
            return expected.object != nil && expected.object?.names.count == members.count
                && members.allSatisfy { matches($0.value, expected[$0.key] ?? .null) }
        default: return value == StyleValue(expected)
        }
    }

    private func isClose(_ a: Double, _ b: Double) -> Bool {
        a == b || abs(a - b) <= 1e-5 * max(abs(a), abs(b)) || abs(a - b) < 1e-6
    }

    private func context(_ input: JSON, _ names: StyleNames) -> StyleContext {
        let globals = input.array?.first ?? .null, feature = input.array?.last ?? .null
        let properties = feature["properties"]?.object
        var keys: [String] = [], values: [VectorValue?] = []
        for name in properties?.names ?? [] {
            keys.append(name)
            switch properties?[name] {
            case .string(let text)?: values.append(.string(text))
            case .bool(let flag)?: values.append(.bool(flag))
            case .null?, nil: values.append(nil)
            case let number? where number.double != nil: values.append(.number(number.double ?? 0))
            case let other?: values.append(.nested(other))
            }
        }
        var geometry = VectorGeometry(), kind = VectorFeature.Kind.unknown
        let shape = feature["geometry"], position = globals["canonicalID"]
        var tile: TileID?
        if let z = position?["z"]?.int, let x = position?["x"]?.int, let y = position?["y"]?.int {
            tile = TileID(zoom: z, x: x, y: y)
        }
        switch shape?["type"]?.string {
        case "Point"?, "MultiPoint"?: kind = .point
        case "LineString"?, "MultiLineString"?: kind = .line
        case "Polygon"?, "MultiPolygon"?: kind = .polygon
        default: break
        }
        for part in parts(shape?["coordinates"] ?? .null) {
            geometry.points += part.map { place($0, tile) }
            geometry.ends.append(geometry.points.count)
        }
        let tags = keys.indices.flatMap { [UInt32($0), UInt32($0)] }
        let made = VectorFeature(
            kind, id: feature["id"]?.int.flatMap(UInt64.init(exactly:)), tags: 0..<tags.count,
            parts: 0..<geometry.partCount)
        let layer = VectorLayer(
            name: "l", extent: 8192, keys: keys, values: values, features: [made], tags: tags,
            geometry: geometry)
        var context = StyleContext(names: names.all, zoom: globals["zoom"]?.double ?? 0, tile: tile)
        context.progress =
            globals["heatmapDensity"]?.double ?? globals["lineProgress"]?.double ?? globals["elevation"]?
            .double
            ?? 0.5
        context.enter(layer)
        _ = context.enter(made)
        return context
    }

    /// Returns the lines or rings of coordinates; a part for each point.
    private func parts(_ coordinates: JSON) -> [[SIMD2<Double>]] {
        guard let items = coordinates.array, let first = items.first else { return [] }
        if first.double != nil { return [[point(coordinates)]] }
        if first.array?.first?.double != nil {
            let isPoints = json.text.contains("MultiPoint")
            return isPoints ? items.map { [point($0)] } : [items.map(point)]
        }
        return items.flatMap(parts)
    }

    private func point(_ json: JSON) -> SIMD2<Double> {
        let numbers = (json.array ?? []).compactMap(\.double)
        return numbers.count < 2 ? .zero : SIMD2(numbers[0], numbers[1])
    }

    private func place(_ point: SIMD2<Double>, _ tile: TileID?) -> VectorGeometry.Point {
        guard let tile else { return .zero }
        let world = Mercator.world(Coordinate(latitude: point.y, longitude: point.x))
        let side = Double(1 << tile.zoom)
        let x = ((point.x + 180) / 360 * side - Double(tile.x)) * 8192,
            y = (world.y * side - Double(tile.y)) * 8192
        return SIMD2(Int32(clamping: Int(x.rounded())), Int32(clamping: Int(y.rounded())))
    }
}
