internal import RhumbCore
internal import RhumbEngine

/// The panel that measures distances and areas on the map, point by point. The points remain when it closes.
struct MeasurePanel: Panel {
    var entry: PanelEntry { .measure }
    var marksPoint: Bool { true }

    func press(_ key: Key, _ browser: Browser) -> [Action]? {
        var path = browser.pointing.trail
        switch key {
        case .character(" "): return act(browser)
        case .backspace, .delete: path.undo()
        case .character("c"): path.close()
        case .character("y") where path.points.isEmpty: return [.say(MeasureText.noPoints)]
        case .character("w") where !path.points.isEmpty:
            return [.ask(ExportText(text: path.geoJSON.text + "\n", name: "measured.geojson"))]
        default: return nil
        }
        return [.measured(path)]
    }

    func act(_ browser: Browser) -> [Action]? {
        var path = browser.pointing.trail
        path.add(browser.pointedPlace)
        return [.measured(path)]
    }

    func remove(_ browser: Browser) -> [Action]? { [.measured(MeasuredPath())] }

    func copied(_ browser: Browser) -> String { browser.pointing.trail.geoJSON.text }

    func click(_ browser: Browser) -> [Action]? { act(browser) }

    func keys(_ browser: Browser) -> [PanelKey] {
        let count = browser.pointing.trail.points.count
        guard count > 0 else { return [PanelKey("Enter", MeasureText.addPoint)] }
        let close =
            count > 2 && !browser.pointing.trail.isClosed ? [PanelKey("c", MeasureText.closeArea)] : []
        return [
            PanelKey("Enter", browser.pointing.trail.isClosed ? MeasureText.startOver : MeasureText.addPoint),
            PanelKey("Backspace", "undo"),
        ] + close
            + [PanelKey("w", "write"), PanelKey("x", "clear"), .copy]
    }

    func rings(_ browser: Browser) -> [[Position]] {
        [browser.pointing.trail.outline(to: browser.pointedPlace)]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        let trail = browser.pointing.trail, units = browser.map.settings.units
        guard let last = trail.points.last else {
            return PanelText(
                title: "Measure",
                lines: browser.wrapped(
                    MeasureText.hint))
        }
        let way = last.way(to: browser.pointedPlace)
        let title = trail.isClosed ? "perimeter" : "length"
        var lines = [PanelText.Line.fact(title, PlaceFormat.length(trail.metres, units))]
        if trail.isClosed {
            lines.append(.fact("area", PlaceFormat.area(trail.squareMetres, units)))
        } else {
            lines.append(
                .fact(
                    MeasureText.toCursor,
                    "\(PlaceFormat.length(way.metres, units))  \(way.bearing.decimals(1))°"))
            if trail.points.count > 0 {
                lines.append(.fact("total", PlaceFormat.length(trail.metres + way.metres, units)))
            }
        }
        if let leg = trail.lastLeg {
            lines.append(
                .fact(
                    MeasureText.lastLeg,
                    "\(PlaceFormat.length(leg.metres, units))  \(leg.bearing.decimals(1))°"))
        }
        return PanelText(title: MeasureText.title(trail.points.count), lines: lines)
    }
}

extension PanelEntry {
    static let measure = PanelEntry("measure") { _ in [.show(MeasurePanel())] }
}

extension MeasuredPath {
    /// The geodesic between the last two points.
    fileprivate var lastLeg: Geodesic? {
        points.dropLast().last.flatMap { before in points.last.map { before.way(to: $0) } }
    }
}

extension PlaceFormat {
    /// Returns a length such as "812.4 m", "3.42 km", "1,234 km".
    static func length(_ metres: Double, _ units: Settings.Units) -> String {
        let (unit, name, part, partName) =
            units == .metric ? (1000.0, "km", 1.0, "m") : (1609.344, "mi", 0.3048, "ft")
        if metres < unit { return "\((metres / part).decimals(metres < 100 * part ? 1 : 0)) \(partName)" }
        let count = metres / unit
        return "\(count.grouped(count < 10 ? 3 : count < 100 ? 2 : count < 1000 ? 1 : 0)) \(name)"
    }

    /// Returns an area such as "812 m²", "3.42 ha", "12.3 km²".
    static func area(_ metres: Double, _ units: Settings.Units) -> String {
        let steps: [(size: Double, name: String)] =
            units == .metric
            ? [(1e6, "km²"), (1e4, "ha"), (1, "m²")]
            : [(2_589_988.110336, "mi²"), (4046.8564224, "ac"), (0.09290304, "ft²")]
        let step = steps.first { metres >= $0.size } ?? steps[2]
        let count = metres / step.size
        return "\(count.grouped(count < 10 ? 2 : count < 100 ? 1 : 0)) \(step.name)"
    }
}

/// A query that writes a text to a new file. If the name is taken, the file gets a similar one.
public struct ExportText: Query {
    /// The text.
    public let text: String
    /// The name of the file.
    public let name: String

    public static var scheduling: QueryScheduling { .files }

    public typealias Response = Result<String, Notice.Problem>
}

/// The texts of the measuring panel.
enum MeasureText {
    static let noPoints = "No points to copy"
    static let addPoint = "add a point"
    static let startOver = "start over"
    static let closeArea = "close the area"
    static let hint = "Press Enter to add a point at the centre of the map, or click to add one there."
    static let toCursor = "to the cursor"
    static let lastLeg = "last leg"

    static func title(_ points: Int) -> String { "Measure · \(AmountText.count(points, "point"))" }
}
