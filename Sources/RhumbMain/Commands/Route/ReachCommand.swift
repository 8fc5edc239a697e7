internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb route --within`: prints the areas that are reachable from a place within given times, as GeoJSON or
/// uniform JSON.
enum ReachCommand {
    static func run(_ invocation: Invocation) async throws -> Int32 {
        let minutes = try minutes(invocation[.within] ?? "")
        guard let origin = invocation.operand, invocation[.destination] == nil else {
            throw UsageError("route --within needs one place, in quotes if its name has spaces")
        }
        if let name = invocation[.output], RouteFormat(name).map({ $0 == .gpx }) ?? true {
            throw UsageError("--output: areas are written as GeoJSON, to a .geojson or .json file, or to -")
        }
        do {
            let (place, reach) = try await invocation.withSession { session in
                let area = try invocation.searchedArea(session)
                var lookup = PlaceLookup(session, in: area)
                let place = try lookup.place(origin).coordinate
                var request = RouteRequest(from: place, to: place)
                try invocation.setTravel(of: &request)
                let finder = try invocation.routeFinder(session, in: area)
                let reach = try await finder.reach(
                    minutes, from: place, request, by: invocation[all: .engine])
                return (place, reach)
            }
            if let remark = reach.remark { Output.say("rhumb: \(remark)") }
            if invocation[.json] { try invocation.print(json(reach, from: place)) }
            if invocation[.json] && invocation[.output] == nil { return ExitStatus.done }
            try Output.write(
                document: Array((reach.geoJSON.text + "\n").utf8), to: Output.file(invocation[.output]))
            return ExitStatus.done
        } catch let failure as RouteFailure {
            Output.say("rhumb: \(FailureText.sentence(failure))")
            return failure.exitStatus
        }
    }

    private static func json(_ reach: Isochrone, from place: Coordinate) -> JSON {
        let areas = (reach.geoJSON["features"]?.array ?? []).map { feature -> JSON in
            let minutes = feature["properties"]?["minutes"]?.double
            return [
                "duration": .thousandths(minutes.map { $0 * 60 }), "geometry": feature["geometry"] ?? .null,
            ]
        }
        return [
            "latitude": .number(place.latitude), "longitude": .number(place.longitude),
            "provider": .string(reach.provider),
            "attribution": .string(reach.attribution), "areas": .array(areas),
            "remarks": .messages([reach.remark].compactMap(\.self)),
        ]
    }

    /// Parses times such as "15min", "1h" or "5,10,15".
    private static func minutes(_ list: String) throws(UsageError) -> [Double] {
        let numbers = list.split(whereSeparator: { $0 == "," || $0 == " " }).map { word in
            let units: [(name: String, minutes: Double)] = [("min", 1), ("h", 60), ("", 1)]
            return units.lazy.filter { word.hasSuffix($0.name) }
                .compactMap { unit in Double(word.dropLast(unit.name.count)).map { $0 * unit.minutes } }.first
        }
        guard (1...Isochrone.limit).contains(numbers.count),
            numbers.allSatisfy({ $0.map { $0 > 0 && $0 <= Isochrone.longest } == true })
        else {
            throw UsageError(
                "invalid value \"\(list)\" for --within: expected one to four times up to 10h, such as 15min or "
                    + "5,10,15")
        }
        return numbers.compactMap(\.self)
    }
}
