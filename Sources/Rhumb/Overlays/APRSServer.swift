internal import RhumbCore
internal import RhumbEngine

/// The client of APRS-IS servers. It logs in as a guest, and receives the stations in view.
extension OverlayReading {
    mutating func readAPRS(_ host: String, _ port: Int) {
        readStream(host, port, greeting: "user N0CALL pass -1 vers Rhumb 1\r\n") { [feed] socket in
            var asked = "", changed = 0.0
            return {
                guard let wanted = feed.view.map(Self.filter), wanted != asked,
                    Self.now - changed >= Self.timeLimit
                else { return }
                asked = wanted
                changed = Self.now
                socket.write("#filter \(wanted)\r\n")
            }
        }
    }

    /// The minimum time in seconds between two filters while the view moves.
    private static let timeLimit = 2.0
    /// The maximum radius of a filter in kilometres.
    private static let reach = 500.0

    /// Returns a filter such as "r/60.45/22.27/30", for the stations within a radius in kilometres around a
    /// place. Both are rounded, so that small moves need no new filter.
    static func filter(_ view: (place: Coordinate, metres: Double)) -> String {
        let kilometres = min(max((view.metres / 5000).rounded(.up) * 5, 5), reach),
            grain = kilometres >= 50 ? 10.0 : 100
        func text(_ degrees: Double) -> String {
            let hundredths = Int((degrees * grain).rounded()) * Int(100 / grain), rest = abs(hundredths) % 100
            return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(rest < 10 ? "0" : "")\(rest)"
        }
        return "r/\(text(view.place.latitude))/\(text(view.place.longitude))/\(Int(kilometres))"
    }
}
