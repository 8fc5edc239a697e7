internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb reach`: prints the areas that are reachable from a place within given times, as GeoJSON or uniform
/// JSON.
enum ReachCommand {
    static func run(_ invocation: Invocation) async throws -> Int32 {
        let minutes = try minutes(invocation[.minutes] ?? "15")
        do {
            let (place, reach) = try await invocation.withSession { session in
                let place = try RoutePlaces(session.search).place(invocation.operand ?? "", near: nil).place
                var request = RouteRequest(from: place, to: place)
                try invocation.setTravel(of: &request)
                let finder = try invocation.routeFinder(session)
                return (
                    place, try await finder.reach(minutes, from: place, request, by: invocation[all: .engine])
                )
            }
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
        ]
    }

    private static func minutes(_ list: String) throws(UsageError) -> [Double] {
        let numbers = list.split(whereSeparator: { $0 == "," || $0 == " " }).map { Double($0) }
        guard (1...Isochrone.limit).contains(numbers.count),
            numbers.allSatisfy({ $0.map { $0 > 0 && $0 <= Isochrone.longest } == true })
        else {
            throw UsageError(
                "invalid value \"\(list)\" for --minutes: expected one to four numbers up to 600, such as 5,10,15"
            )
        }
        return numbers.compactMap(\.self)
    }
}
