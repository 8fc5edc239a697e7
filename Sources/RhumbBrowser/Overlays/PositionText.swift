internal import RhumbCore

/// The texts about the GPS position, and the guidance from it.
enum PositionText {
    static let none = "No GPS position. Connect to a receiver with :over gpsd:HOST."
    static let notFollowing = "Not following the position"
    static let following = "Following the position"
    static let followingBelow = "Following, with the position in the lower third"

    static func noFix(_ seconds: Int) -> String { "no fix for \(seconds) s" }

    static func old(_ seconds: Int) -> String { "position \(seconds) s old" }

    static let position = "your position: "

    static func course(_ degrees: Double) -> String {
        "course \(Int(clamping: degrees.rounded()))° \(PlaceBearing.compass(degrees))"
    }

    static func age(_ seconds: Int) -> String { "\(seconds) s ago" }

    static let follow = "f: follow"
    static let notFollowingNow = "not following"
    static let isFollowing = "following"
    static let routeFromHere = "a route from your position"
    static let arrived = "Destination reached"
    static let arrivedBriefly = "arrived"

    /// Returns the wordings about a position beside the route, longest first.
    static func offRoute(_ metres: Double) -> [String] {
        let distance = AmountText.metres(metres)
        return ["\(distance) off route · R, \(reroute)", "\(distance) off route", "\(distance) off"]
    }

    static let reroute = "a: reroute from here"
}
