/// Local names that shells complete. `rhumb help completions NAMES` prints them, one per line.
public enum StoredNames: String, CaseIterable, Sendable {
    /// Ids of regions.
    case regions
    /// Names of areas.
    case areas
    /// Names of areas, and ids of regions and packages.
    case places
    /// Ids of installed packages.
    case packages
    /// Names of web sources.
    case sources
    /// Names of installed styles.
    case styles
    /// Letters of bookmarks.
    case bookmarks
    /// Names of sources of streets, and off.
    case streets
    /// Names of features.
    case features

    /// The command line that prints the names, without error messages.
    var command: String { "rhumb help completions \(rawValue) 2>/dev/null" }
}
