internal import RhumbCore

/// The texts of downloads, in their panel and in notices.
enum DownloadText {
    static let denied = "Download not allowed"

    static func refusal(_ verdict: PlanVerdict) -> String {
        "\(verdict.lines.first ?? denied). Press d for details."
    }

    static let alongRoute = "Download along the route"
    static let area = "Download this area"
    static let view = "Download this view"

    static func question(_ source: String) -> String { "Download from \(source)?" }

    /// The data that the host of a download receives, besides the IP address.
    static let sent = "the tile numbers of the area"

    static func otherSource(than map: String) -> String {
        "\(map) doesn't allow downloads; this source does."
    }

    static let counting = "Counting tiles …"
    static let allStored = "all tiles are stored"

    static let again = "try again"

    static func holds(_ region: String) -> String {
        "The region “\(region)” holds this area already. Update it with r; Enter makes a second region."
    }

    static func time(_ seconds: Double) -> String {
        seconds >= 1 ? "about \(AmountText.seconds(seconds))" : "under 1 s"
    }

    static let columns = "tiles stored  to fetch"

    static func surplus(_ tiles: Int?) -> String {
        tiles.map { "\(AmountText.count($0)) more tiles" } ?? "more tiles"
    }

    static func wholePacks(isOn: Bool) -> String { "[\(isOn ? "x" : " ")] whole packs" }

    static func heights(_ source: String, isOn: Bool) -> String {
        "[\(isOn ? "x" : " ")] heights: \(source)"
    }

    static let noDownload = "no download"
    static let nextHeights = "heights source"

    static func packs(_ count: Int, used: Int, limit: Int) -> String {
        "packs \(AmountText.count(count)), \(AmountText.count(used)) of \(AmountText.count(limit)) used"
    }

    static let fetched = "download"
    static let onDisk = "on disk"
    static let freeSpace = "free disk space"
    static let permission = "I have the provider's permission"

    static func notNeeded(_ map: String?) -> String {
        "\(map ?? "The map") needs no download. Press m to choose a map you can download."
    }

    static let noMap = "No map in view to download"
    static let noTraffic = "Traffic is not downloaded: it can't be stored"
}
