internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb area export` and `import`: carries an area, or everything that is stored, to another machine.
struct AreaTransfer {
    private let invocation: Invocation
    private let regions: Regions
    private let catalog: SourceCatalog
    private let folders = Folders(environment: Environment.all)

    /// The files of areas by their folder in the set, with their folder among the user's data.
    private static let subfolders = ["overlays/": "/overlays/", "styles/": "/style/", "maps/": "/maps/"]

    init(_ invocation: Invocation, _ regions: Regions, _ catalog: SourceCatalog) {
        self.invocation = invocation
        self.regions = regions
        self.catalog = catalog
    }

    private func end(_ lines: [String], _ leftOut: [String], _ json: JSON) throws -> Int32 {
        for sentence in leftOut { Output.say("rhumb: left out \(SafeText.sanitised(sentence, limit: 300))") }
        try invocation.print(lines, json.adding(["leftOut": .messages(leftOut)]))
        return leftOut.isEmpty ? ExitStatus.done : ExitStatus.gaps
    }

    // MARK: Exporting

    /// The files beside the regions, and sentences about those that are left out.
    private struct Extras {
        var files: [SetExporter.Extra] = []
        var leftOut: [String] = []

        /// Adds a file to a folder of the set.
        /// - Returns: Its path in the set; nil if it is left out.
        mutating func add(_ path: String, to folder: String) -> String? {
            let name = path.lastPathName
            guard !Files.isFolder(path) else {
                leftOut.append("\(path): it is a folder")
                return nil
            }
            guard TransferSet.File.isInside(folder + name) else {
                leftOut.append(
                    "\(path): rename it, using only letters, digits, \".\", \"_\" and \"-\"")
                return nil
            }
            if let other = files.first(where: { $0.path == folder + name }) {
                guard other.contents == .file(path) else {
                    leftOut.append("\(path): another file has the same name")
                    return nil
                }
            } else {
                files.append(SetExporter.Extra(folder + name, .file(path)))
            }
            return folder + name
        }

        /// Returns the area with its files' paths in the set. Addresses and names of sources stay.
        mutating func adding(_ area: MapArea) -> MapArea {
            var area = area
            area.overlays = area.overlays.compactMap { Files.exists($0) ? add($0, to: "overlays/") : $0 }
            area.style = area.style.flatMap { Files.exists($0) ? add($0, to: "styles/") : $0 }
            area.map = area.map.flatMap { Files.exists($0) ? add($0, to: "maps/") : $0 }
            return area
        }
    }

    /// Writes a set to a folder or tar archive.
    /// - Parameter area: The area to write; nil for all regions, areas, styles and bookmarks.
    func export(_ area: MapArea?) throws -> Int32 {
        guard let path = invocation[.output] else {
            throw UsageError("area export needs -o FOLDER or -o FILE.tar")
        }
        var records = try regions.store.regions()
        if let area {
            records = try area.regions.map { id in
                guard let record = records.named(id) else {
                    throw Notice.Problem("\(id) is not stored; run rhumb area check \(area.id)")
                }
                return record
            }
        }
        let extras = try extras(area), outcome: SetExporter.Outcome
        do {
            outcome = try ProgressMeter.run("exporting", .count("tiles")) {
                try SetExporter(regions, catalog, to: path).export(records, extras.files)
            }
        } catch let failure as TransferSetFailure {
            throw Notice.Problem(FailureText.sentence(failure))
        }
        return try end(
            [
                "\(SafeText.sanitised(path)): \(AmountText.count(outcome.regions.count, "region")), "
                    + "\(AmountText.count(outcome.files, "file")), \(AmountText.bytes(outcome.bytes))"
            ], extras.leftOut + outcome.leftOut,
            [
                "state": "exported", "path": .string(path),
                "regions": .array(outcome.regions.map { .string($0) }), "files": .integer(outcome.files),
                "bytes": .integer(outcome.bytes),
            ])
    }

    private func extras(_ area: MapArea?) throws -> Extras {
        var extras = Extras()
        for path in invocation[all: .over] {
            guard Files.exists(path) else { throw Notice.Problem("\(FileProblem(path))") }
            _ = extras.add(path, to: "overlays/")
        }
        if area == nil, let data = folders.data {
            for name in Files.names(in: data + "/style") where name.hasSuffix(".json") {
                _ = extras.add("\(data)/style/\(name)", to: "styles/")
            }
        }
        let areas = try area.map { [$0] } ?? AreaFile(folders).read()
        let written = areas.map { extras.adding($0) }
        if !written.isEmpty {
            extras.files.append(SetExporter.Extra("areas.json", json: .array(written.map(\.json))))
        }
        let (bookmarks, fault) = BookmarkFile(folders).load()
        if let fault { extras.leftOut.append("\(fault)") }
        let chosen = bookmarks.filter { area?.bookmarks.contains($0.letter) ?? true }
        if !chosen.isEmpty {
            extras.files.append(SetExporter.Extra("bookmarks.json", json: .array(chosen.map(\.json))))
        }
        return extras
    }

    // MARK: Importing

    /// Verifies and imports a set. What exists already is left out.
    func importSet(_ path: String) throws -> Int32 {
        guard let data = folders.data else { throw Notice.Problem(Folders.missing) }
        let outcome: SetImporter.Outcome, importer: SetImporter
        do {
            importer = try ProgressMeter.run("verifying", .share) { try SetImporter(path, space: data) }
            outcome = try ProgressMeter.run("importing", .count("tiles")) {
                try importer.importRegions(into: regions, catalog, at: .now)
            }
        } catch let failure as TransferSetFailure {
            throw Notice.Problem(FailureText.sentence(failure))
        } catch let failure as RegionDefinitionFailure {
            throw Notice.Problem(FailureText.sentence(failure))
        }
        var added: [String] = [], leftOut = outcome.leftOut
        for file in importer.files {
            switch file.path {
            case "bookmarks.json": try addBookmarks(importer.bytes(of: file), &added, &leftOut)
            case "areas.json":
                try addAreas(importer.bytes(of: file), data, except: outcome.taken, &added, &leftOut)
            default:
                guard let (folder, own) = Self.subfolders.first(where: { file.path.hasPrefix($0.key) }) else {
                    continue
                }
                let path = data + own + file.path.dropFirst(folder.count)
                guard !Files.exists(path) else {
                    leftOut.append("\(file.path): \(path) exists already")
                    continue
                }
                Files.makeFolder(data + own)
                try importer.copy(file, to: path)
                added.append(path)
            }
        }
        if let first = importer.unlisted.first {
            let count = importer.unlisted.count
            leftOut.append(
                count == 1
                    ? "\(first): the set does not list it"
                    : "\(first) and \(count - 1) more files: the set does not list them")
        }
        return try end(
            [
                "imported \(AmountText.count(outcome.regions.count, "region")), "
                    + AmountText.count(outcome.tiles, "tile")
            ] + added.map { "  " + SafeText.sanitised($0) }, leftOut,
            [
                "state": "imported", "regions": .array(outcome.regions.map { .string($0) }),
                "tiles": .integer(outcome.tiles), "files": .array(added.map { .string($0) }),
            ])
    }

    private func addBookmarks(_ bytes: [UInt8], _ added: inout [String], _ leftOut: inout [String]) throws {
        let letters = Set(BookmarkFile(folders).load().bookmarks.map(\.letter))
        let (bookmarks, fault) = BookmarkFile.bookmarks(in: bytes)
        if let fault { leftOut.append("bookmarks.json: \(fault)") }
        for bookmark in bookmarks {
            if letters.contains(bookmark.letter) {
                leftOut.append("bookmark \(bookmark.letter): the letter is in use")
            } else {
                _ = try BookmarkFile(folders).save(.set(bookmark))
                added.append("bookmark \(bookmark.letter)")
            }
        }
    }

    /// Adds the areas of a set.
    /// - Parameter taken: The ids of regions that are others here. Their areas are left out.
    private func addAreas(
        _ bytes: [UInt8], _ data: String, except taken: Set<String>, _ added: inout [String],
        _ leftOut: inout [String]
    ) throws {
        guard let entries = try? JSON.parse(bytes).array else {
            return leftOut.append("areas.json: it has no list of areas")
        }
        /// Returns the path of a file of the set after the import.
        func path(_ word: String) -> String {
            guard let (folder, own) = Self.subfolders.first(where: { word.hasPrefix($0.key) }) else {
                return word
            }
            return data + own + word.dropFirst(folder.count)
        }
        let ids = Set(try AreaFile(folders).read().map(\.id))
        for entry in entries {
            guard var area = MapArea(entry) else {
                leftOut.append("areas.json: an area has no valid name")
                continue
            }
            guard !ids.contains(area.id) else {
                leftOut.append("area \(area.id): the name is in use")
                continue
            }
            if let region = area.regions.first(where: taken.contains) {
                leftOut.append("area \(area.id): its region \(region) is left out")
                continue
            }
            area.overlays = area.overlays.map(path)
            area.style = area.style.map(path)
            area.map = area.map.map(path)
            try AreaFile(folders).add(area, replaces: false)
            added.append("area \(area.id)")
        }
    }
}
