internal import Rhumb
internal import RhumbBrowser

/// The user's areas in a JSON file, sorted by name.
struct AreaFile: Sendable {
    private let file: StateFile<[MapArea]>?

    init(_ folders: Folders) {
        file = folders.data.map {
            StateFile(
                $0 + "/areas.json",
                .array(
                    limit: 1 << 20, of: "area", text: \.indentedText, json: \.json, element: MapArea.init))
        }
    }

    /// Reads the areas.
    /// - Throws: A sentence if the file can't be read.
    func read() throws(Notice.Problem) -> [MapArea] {
        guard let (areas, fault) = file?.load() else { return [] }
        if let fault { throw fault }
        return areas.sorted { $0.id < $1.id }
    }

    /// Returns the area with a name.
    /// - Throws: A sentence if there is none.
    func area(_ id: String) throws(Notice.Problem) -> MapArea {
        guard let area = try read().first(where: { $0.id == id }) else {
            throw Notice.Problem("no area \(id); list them with rhumb area list")
        }
        return area
    }

    /// Adds an area. Files in it are stored with their full paths, so that it opens from any folder.
    /// - Parameter replaces: True to replace an area of that name.
    /// - Throws: A sentence if the name is taken, or the file can't be written.
    func add(_ area: MapArea, replaces: Bool) throws(Notice.Problem) {
        guard let file else { throw Notice.Problem(Folders.missing) }
        if !replaces, try read().contains(where: { $0.id == area.id }) {
            throw Notice.Problem("the area \(area.id) exists; replace it with --force")
        }
        func full(_ path: String) -> String { Files.exists(path) ? Files.named(path) : path }
        var area = area
        area.overlays = area.overlays.map(full)
        area.map = area.map.map(full)
        area.style = area.style.map(full)
        try file.change { areas in areas = areas.filter { $0.id != area.id } + [area] }
    }

    /// Removes an area. The regions and files in it are kept.
    /// - Throws: A sentence if there is no such area, or the file can't be written.
    func remove(_ id: String) throws(Notice.Problem) {
        _ = try area(id)
        try file?.change { areas in areas.removeAll { $0.id == id } }
    }
}
