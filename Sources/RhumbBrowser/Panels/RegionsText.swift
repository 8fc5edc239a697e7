internal import RhumbCore

/// The texts of the regions panel.
enum RegionsText {
    static func cannotPause(_ item: RegionItem) -> String {
        "\(item.name) is \(item.state); nothing to pause"
    }

    static let stop = "Stop the download? Tiles already downloaded are kept. y/N"
    static let removal = "Delete the region and its tiles? y/N"
    static let empty = "No offline regions yet. Press d to download this view."
    static let nameExample = "a name for the region"

    static func counts(_ item: RegionItem) -> String {
        "\(AmountText.count(item.tiles)) of \(AmountText.count(item.planned)) tiles"
            + (item.absent > 0 ? ", \(AmountText.count(item.absent)) absent" : "")
    }

    static func failed(_ tiles: Int) -> String { "\(AmountText.count(tiles)) failed, t: retry" }
}
