internal import RhumbCore
internal import RhumbEngine

/// The texts of notices that belong to no panel.
enum NoticesText {
    static func copied(_ text: String, isSure: Bool) -> String {
        let lines = text.split(separator: "\n", maxSplits: 1)
        return "Copied \(lines.first ?? "")\(lines.count > 1 ? " …" : "")"
            + (isSure ? "" : " (if your terminal allows it; also printed on exit)")
    }

    static func opening(_ map: String) -> String { "Opening \(map) …" }

    static let pasted = "The pasted text is no place. Press / to search for it."

    /// Returns the answer to an unknown key.
    static func unknown(_ key: String, nearest: (keys: String, help: String)?) -> String {
        let near = nearest.map { ", but \($0.keys) is: \($0.help)" } ?? ""
        return "\(key) is not a key\(near). ? lists the keys."
    }

    static let networkBack = "Network is back"
    static let isOffline = "You are offline. Press o to go online."
    static let noNetwork = "\(RecoverySuggestion.noNetwork)showing saved tiles only"
    static let offline = "Offline: showing saved tiles only"
    static let online = "Online"
    static let goOnline = "Go online?"
    static let startedOffline = "Rhumb was started offline, so nothing was requested so far."

    static func added(_ map: String) -> String { "Added \(map) to the map" }

    static func detail(_ level: Int, _ map: String) -> String {
        "Tile detail \(level > 0 ? "+" : "")\(level) for \(map)"
    }

    static func style(_ name: String) -> String { "Style: \(name)" }

    static let noWayBack = "Nothing to go back to"
    static let noWayForward = "Nothing to go forward to"
    static let daylight = "Day and night appear at lower zooms. Press 0 for the whole world."
    static let hillshadeOff = "Hillshade is off"
    static let noHillshade = "Hillshade is already off"

    static func hills(of source: String) -> String { "Show hills from \(source)?" }

    static let hillsOn = "Shading and contours are on"
    static let noHeights = "No heights are stored here"

    static func contours(_ spacing: ContourSpacing) -> String {
        let unit = spacing.isInFeet ? "ft" : "m"
        return spacing.distance.map { "Contours every \(PlaceFormat.fixed($0, 0)) \(unit)" }
            ?? "Contours follow the zoom"
    }

    static let hillsOff = "Shading and contours are off"
    static let noHills = "Shading and contours are already off"
    static let contoursOff = "Contours are off"
    static let contourWords =
        "contours: expected auto, off or a distance from 1 to 5000, e.g. contours 20"

    static func ambiguous(_ command: String, _ names: String) -> String {
        "\(command) is ambiguous: \(names)"
    }

    static func unknown(_ command: String, nearest: String?) -> String {
        "unknown command \(command); \(nearest.map { "did you mean \($0)?" } ?? "press Tab for a list")"
    }

    static let commandExample = "zoom 12  ·  open FILE  ·  units imperial  ·  Tab: list"
}
