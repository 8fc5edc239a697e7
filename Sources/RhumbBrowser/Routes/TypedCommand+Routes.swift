internal import RhumbCore
internal import RhumbEngine

extension TypedCommand {
    static let routes: [TypedCommand] = [
        TypedCommand("route", "[PLACE]", "the route to a place, from the one clicked or the middle") {
            (browser, words) throws(Notice.Problem) in
            words.isEmpty ? browser.startRoute() : try browser.startRoute(to: words)
        },
        TypedCommand("engine", "[MODE=]URL|NAME", "who is asked for routes; alone: the best there is") {
            (browser, words) throws(Notice.Problem) in
            [.route(.engines(words.split(separator: " ").map(String.init)))]
                + browser.say(words.isEmpty ? "routes: the best engine there is" : "routes: \(SafeText.sanitised(words, limit: 80))")
        },
        TypedCommand("reach", "MINUTES", "how far one gets in so many minutes, as 5,10") {
            (browser, words) throws(Notice.Problem) in
            let minutes = words.split { $0 == "," || $0 == " " }.map { Double($0) ?? 0 }
            guard (1...RouteReach.limit).contains(minutes.count), minutes.allSatisfy({ $0 > 0 && $0 <= RouteReach.longest }) else {
                throw Notice.Problem("reach takes one to four numbers of minutes up to 600, as in: reach 5,10")
            }
            return browser.askReach(minutes)
        },
        TypedCommand("vehicle", "height 4 weight 40 …", "the truck or bus of routes: metres, tonnes; alone: any") {
            (browser, words) throws(Notice.Problem) in
            browser.route.vehicle = try vehicle(words)
            if browser.route.mode != .bus, !words.isEmpty { browser.route.mode = .truck }
            return browser.askRoute() + browser.say(words.isEmpty ? "any vehicle" : "by \(browser.route.mode.rawValue): \(words)")
        },
        TypedCommand("depart", "now|TIME", "when routes begin, as 2026-11-22T17:00; alone: any time") {
            (browser, words) throws(Notice.Problem) in
            guard words.isEmpty || RouteDeparture(words) != nil else {
                throw Notice.Problem("depart takes now, or a day and a time as 2026-11-22T17:00")
            }
            browser.route.departure = RouteDeparture(words)
            return browser.askRoute() + browser.say(words.isEmpty ? "routes heed no traffic" : "leaving \(words)")
        },
    ]

    /// "height 4 weight 40 hazmat"
    private static func vehicle(_ words: String) throws(Notice.Problem) -> RouteVehicle {
        var vehicle = RouteVehicle(), rest = words.split(separator: " ").map(String.init)[...]
        while let name = rest.popFirst() {
            if name == "hazmat" {
                vehicle.isHazardous = true
                continue
            }
            guard let size = rest.popFirst().flatMap(Double.init), size > 0, size < 1000 else {
                throw Notice.Problem("\(name) needs a number: metres, or tonnes", word: name)
            }
            switch name {
            case "height": vehicle.height = size
            case "width": vehicle.width = size
            case "length": vehicle.length = size
            case "weight": vehicle.weight = size
            case "axle-load": vehicle.axleLoad = size
            default: throw Notice.Problem("vehicle takes height, width, length, weight, axle-load and hazmat", word: name)
            }
        }
        return vehicle
    }
}
