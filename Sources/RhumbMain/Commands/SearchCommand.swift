internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb search`: places by name, without a network.
struct SearchCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() throws -> Int32 {
        let words = invocation.operand ?? ""
        let near = invocation[.near]?.coordinate
        let configuration = try invocation.layerConfiguration()
        let search = LazyPlaceSearch({ configuration }, open: EmbeddedPlaces.open)
        let coded = PlaceText.shortCode(in: words)
        let matches = try search.places(matching: coded?.town ?? words, near: near, limit: invocation[.limit] ?? 10)
        let town = coded.flatMap { _ in matches.first?.place.coordinate }
        let spot = try (try? PlaceText(coded?.code ?? words, near: town ?? near)).map { spot in
            (spot.coordinate, try search.nearest(to: spot.coordinate, minimumImportance: 0))
        }
        if invocation[.json] {
            let items = (spot.map { [SearchCommand.json($0)] } ?? []) + matches.map(SearchCommand.json)
            try Output.print(JSON.array(items).indentedText + "\n")
        } else {
            try Output.print(lines(spot, matches).map { $0 + "\n" }.joined())
        }
        guard matches.isEmpty && spot == nil else { return ExitStatus.done }
        Output.say("rhumb: nothing is called \"\(SafeText.sanitised(words, limit: 60))\"")
        return ExitStatus.failed
    }

    // MARK: Text

    /// Coordinates that were written, and the place nearest to them.
    private typealias Spot = (coordinate: Coordinate, nearest: PlaceBearing?)

    private func lines(_ spot: Spot?, _ matches: [PlaceMatch]) -> [String] {
        let rows = (spot.map { [row($0)] } ?? []) + matches.map(row)
        return TextTable(leading: 4, rows).lines
    }

    /// Coordinate, kind, name, whereabouts, people.
    private func row(_ match: PlaceMatch) -> [String] {
        let place = match.place
        let name = place.name + (match.otherName.map { " (\($0))" } ?? "")
        let people = place.population > 0 && place.kind != .region ? AmountText.count(place.population) : ""
        return [coordinate(place.coordinate), place.kind.rawValue, name, place.whereabouts, people]
    }

    private func row(_ spot: Spot) -> [String] {
        let nearest = spot.nearest.map { PlaceFormat.bearing($0, units: .metric) } ?? ""
        return [coordinate(spot.coordinate), "spot", nearest, "", ""]
    }

    /// As it may be given to --center.
    private func coordinate(_ place: Coordinate) -> String {
        PlaceFormat.fixed(place.latitude, 4) + "," + PlaceFormat.fixed(place.longitude, 4)
    }

    // MARK: JSON

    private static func json(_ match: PlaceMatch) -> JSON {
        let place = match.place
        return [
            "name": .string(place.name), "match": match.otherName.map { .string($0) } ?? .null,
            "kind": .string(place.kind.rawValue), "countryCode": .string(place.countryCode),
            "country": .string(place.country), "region": .string(place.region),
            "latitude": .number(place.coordinate.latitude), "longitude": .number(place.coordinate.longitude),
            "population": .integer(place.population),
        ]
    }

    private static func json(_ spot: Spot) -> JSON {
        [
            "name": .null, "kind": "spot", "latitude": .number(spot.coordinate.latitude),
            "longitude": .number(spot.coordinate.longitude),
            "nearest": spot.nearest.map { json(PlaceMatch(place: $0.place, otherName: nil)) } ?? .null,
            "metresFromNearest": spot.nearest.map { .integer(Int($0.metres.rounded())) } ?? .null,
        ]
    }
}
