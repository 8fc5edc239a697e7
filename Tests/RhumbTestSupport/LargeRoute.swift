public import RhumbCore

/// A route of the maximum realistic length, and OSRM's response for it.
public enum LargeRoute {
    public static let start = Coordinate(latitude: 43.7, longitude: 7.4)

    /// Returns corners about 15 m apart on a winding way north-east.
    public static func way(_ corners: Int, from start: Coordinate = start) -> [Coordinate] {
        var bearing = 0.0, latitude = start.latitude, longitude = start.longitude
        var lot = SplitMix(seed: 19)
        return (0..<corners).map { _ in
            bearing += Double.random(in: -0.3...0.3, using: &lot)
            latitude += 0.0001 + bearing * 0.00001
            longitude += 0.0001 - bearing * 0.00001
            bearing *= 0.95
            return Coordinate(latitude: latitude, longitude: longitude)
        }
    }

    /// A request for the route from the first to the last of 40,000 corners.
    public static let request: RouteRequest = {
        let line = way(40_000)
        return RouteRequest(from: line[0], to: line[line.count - 1])
    }()

    /// Returns a response with the given numbers of corners and steps, and with realistic junctions.
    public static func osrm(corners: Int, steps: Int, from start: Coordinate = start) -> [UInt8] {
        let line = way(corners, from: start), share = (corners - 1) / (steps - 1)
        let crossing =
            #"{"out":1,"in":2,"entry":[true,true,false],"bearings":[60,150,330],"location":[7.426431,43.737867]}"#
        let crossings = Array(repeating: crossing, count: 8).joined(separator: ",")
        let entries = (0..<steps).map { at -> String in
            let first = at * share,
                last = at == steps - 1 ? first : at == steps - 2 ? corners - 1 : first + share
            let part = at == steps - 1 ? [line[corners - 1], line[corners - 1]] : Array(line[first...last])
            let type = at == 0 ? "depart" : at == steps - 1 ? "arrive" : "turn"
            return
                #"{"intersections":[\#(crossings)],"driving_side":"right","geometry":\#(JSON.string(Polyline.text(part, precision: 6)).text),"#
                + #""maneuver":{"bearing_after":46,"bearing_before":25,"location":[7.421588,43.736797],"modifier":"right","type":"\#(type)"},"#
                + #""name":"Avenue d'Ostende \#(at)","mode":"driving","weight":37.4,"duration":37.4,"distance":412.6}"#
        }
        return Array(
            #"{"code":"Ok","routes":[{"legs":[{"steps":[\#(entries.joined(separator: ","))],"distance":600000,"duration":20000}],"distance":600000,"duration":20000}]}"#
                .utf8)
    }
}
