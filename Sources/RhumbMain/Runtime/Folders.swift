internal import Rhumb

/// The folders of the XDG base directory specification, by default inside `HOME`.
struct Folders {
    let environment: [String: String]

    /// The message if a folder is unavailable.
    static let missing =
        "HOME is not set to a folder; set it, or XDG_CACHE_HOME, XDG_DATA_HOME and XDG_STATE_HOME"

    /// The folder for state, such as the last view; nil without a home folder.
    var state: String? { folder("XDG_STATE_HOME", ".local/state") }

    /// The folder for the shared cache; nil without a home folder.
    var cache: String? { folder("XDG_CACHE_HOME", ".cache") }

    /// The folder for the configuration; nil without a home folder.
    var config: String? { folder("XDG_CONFIG_HOME", ".config") }

    /// The folder for the user's data; nil without a home folder.
    var data: String? { folder("XDG_DATA_HOME", ".local/share") }

    /// The folder for recorded tracks; nil without a home folder.
    var tracks: String? { data.map { $0 + "/tracks" } }

    /// The user's folder for pictures: `XDG_PICTURES_DIR` from the environment or user-dirs.dirs, or else
    /// "Pictures" in the home folder, or else the home folder; nil if none of them exists.
    var pictures: String? {
        let name = "XDG_PICTURES_DIR"
        return [environment[name], userFolder(name), home.map { $0 + "/Pictures" }, home].lazy.compactMap(
            \.self
        )
        .first { $0.hasPrefix("/") && Files.isFolder($0) }
    }

    /// The value of a variable in user-dirs.dirs, which is `"$HOME/…"` or an absolute path.
    private func userFolder(_ variable: String) -> String? {
        guard let folder = base("XDG_CONFIG_HOME", ".config"),
            let file = Files.read(folder + "/user-dirs.dirs")
        else {
            return nil
        }
        let lines = String(decoding: file, as: UTF8.self).split(separator: "\n")
        let values = lines.filter { $0.hasPrefix(variable + "=") }.map { $0.dropFirst(variable.count + 1) }
        return values.last.map { value in
            let path = value.filter { $0 != "\"" && $0 != "\\" }
            return path.hasPrefix("$HOME") ? (home ?? "") + path.dropFirst("$HOME".count) : String(path)
        }
    }

    private var home: String? { environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// Returns a base folder. The specification allows only absolute paths.
    private func base(_ variable: String, _ usual: String) -> String? {
        if let named = environment[variable], named.hasPrefix("/") { return named }
        return home.map { "\($0)/\(usual)" }
    }

    private func folder(_ variable: String, _ usual: String) -> String? {
        base(variable, usual).map { $0 + "/rhumb" }
    }
}
