/// The folders of the XDG base directory specification; those whose variable is not set lie in `HOME`.
struct Folders {
    let environment: [String: String]

    /// What to say where there is no folder.
    static let missing = "HOME is not set to a folder: set it, or XDG_CACHE_HOME, XDG_DATA_HOME and XDG_STATE_HOME"

    /// Where the last view is kept; nil without a home.
    var state: String? { folder("XDG_STATE_HOME", ".local/state") }

    /// Where the shared cache is; nil without a home.
    var cache: String? { folder("XDG_CACHE_HOME", ".cache") }

    /// Where the configuration is; nil without a home.
    var config: String? { folder("XDG_CONFIG_HOME", ".config") }

    /// Where a person keeps files for the program; nil without a home.
    var data: String? { folder("XDG_DATA_HOME", ".local/share") }

    private func folder(_ variable: String, _ usual: String) -> String? {
        if let named = environment[variable], named.hasPrefix("/") { return named + "/rhumb" }
        // The specification knows absolute folders only.
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/\(usual)/rhumb"
    }
}
