internal import RhumbCore
internal import RhumbEngine

extension TypedCommand {
    static let routes: [TypedCommand] = [
        TypedCommand("route", "[PLACE]", "route to a place, from the clicked place or the centre") {
            (browser, words) throws(Notice.Problem) in
            let place = words.hasPrefix("to ") ? String(words.dropFirst(3)) : words == "to" ? "" : words
            return place.isEmpty ? RoutePanel.opening(browser) : try RoutePanel.opening(to: place, browser)
        },
        TypedCommand(
            "engine", "[MODE=]URL|NAME|tiles", "routing engine; alone: automatic",
            ArgumentWords([Completion("tiles", "the roads of stored maps")], outside: .engines)
        ) {
            (_, words) throws(Notice.Problem) in
            [.ask(ChooseRouteEngines(engines: words.split(separator: " ").map(String.init)))]
        },
        TypedCommand("reach", "MINUTES", "area reachable in some minutes, e.g. 5,10") {
            (browser, words) throws(Notice.Problem) in
            let minutes = words.split { $0 == "," || $0 == " " }.map { Double($0) ?? 0 }
            guard (1...Isochrone.limit).contains(minutes.count),
                minutes.allSatisfy({ $0 > 0 && $0 <= Isochrone.longest })
            else {
                throw Notice.Problem(
                    "reach: expected one to four numbers of minutes up to 600, e.g. reach 5,10")
            }
            return browser.askingReach(minutes)
        },
        TypedCommand(
            "vehicle", "height 4 weight 40 …", "size of the truck or bus in metres and tonnes; alone: any"
        ) {
            (browser, words) throws(Notice.Problem) in
            let vehicle = try vehicle(words), mode = browser.route.mode
            let fitting = mode != .bus && !words.isEmpty ? .truck : mode
            return browser.planningRoute {
                $0.vehicle = vehicle
                $0.mode = fitting
            } + [.say(words.isEmpty ? "Vehicle: any" : "Vehicle: \(fitting.rawValue), \(words)")]
        },
        TypedCommand("depart", "now|TIME", "departure time, e.g. 2026-11-22T17:00; alone: none") {
            (browser, words) throws(Notice.Problem) in
            guard words.isEmpty || RouteDeparture(words) != nil else {
                throw Notice.Problem("depart: expected now, or a date and time such as 2026-11-22T17:00")
            }
            let notice =
                words.isEmpty ? "Departure time removed: routes ignore traffic" : "Departure: \(words)"
            return browser.planningRoute { $0.departure = RouteDeparture(words) } + [.say(notice)]
        },
    ]

    /// Parses the size of a vehicle, such as "height 4 weight 40 hazmat".
    private static func vehicle(_ words: String) throws(Notice.Problem) -> RouteVehicle {
        var vehicle = RouteVehicle(), rest = words.split(separator: " ").map(String.init)[...]
        while let name = rest.popFirst() {
            if name == "hazmat" {
                vehicle.isHazardous = true
                continue
            }
            guard let size = rest.popFirst().flatMap(Double.init), size > 0, size < 1000 else {
                throw Notice.Problem("\(name): expected a number of metres or tonnes", word: name)
            }
            switch name {
            case "height": vehicle.height = size
            case "width": vehicle.width = size
            case "length": vehicle.length = size
            case "weight": vehicle.weight = size
            case "axle-load": vehicle.axleLoad = size
            default:
                throw Notice.Problem(
                    "vehicle: expected height, width, length, weight, axle-load or hazmat", word: name)
            }
        }
        return vehicle
    }
}
