/// The texts of the sources panel.
enum SourcesText {
    static func needsKey(_ source: String, _ key: String) -> String {
        "\(source) needs a key. Set \(key), or add it under \"keys\" in the configuration file."
    }

    static let addOverlay = "add as overlay"
    static let empty = "No sources"
}
