internal import RhumbCore

/// The texts of the status line and of the whole screen.
enum StatusText {
    static let noMap = "no map"

    static func noReply(from host: String) -> String { "no reply from \(host)" }

    static let olderEdition = "older edition"

    static func edition(_ shown: String, newest: String) -> String { "edition \(shown), newest \(newest)" }

    static let noNetwork = "no network"
    static let refused = "stale, refused by server"
    static let stale = "stale"
    static let staleWithoutReply = "stale, no reply"

    static func zoomIn(_ zoom: Double) -> String { "zoom in to \(PlaceFormat.zoom(zoom))" }

    static let streets = "Enter: streets"

    static let noDetail = "no more detail"
    static let noMoreDetail = ["No more detail here · m: open another map", "\(noDetail) · m: maps"]

    static func enlarged(_ zoom: Double) -> String { "enlarged from \(PlaceFormat.zoom(zoom))" }

    /// Returns the wordings for a terminal that is too small, longest first.
    static func tooSmall(_ size: String, _ least: String) -> [String] {
        [
            "Terminal too small (\(size)); Rhumb needs at least \(least)", "Too small: needs \(least)",
            "needs \(least)", least, "!",
        ]
    }

    static func showStreets(_ source: String) -> String { "streets (\(source.clipped(to: 14)))" }

    static let noMatch = "No match"
    static let noFilterMatch = "No match. Press Esc to clear the filter."
    static let noMessages = "No messages yet"
}
