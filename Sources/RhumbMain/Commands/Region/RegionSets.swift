internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb region export-set` and `import-set`: carries regions, styles, overlays and bookmarks to another
/// machine.
struct RegionSets {
    private let command: RegionCommand
    private let invocation: Invocation
    private let folders = Folders(environment: Environment.all)

    init(_ command: RegionCommand) {
        self.command = command
        invocation = command.invocation
    }

    /// The folder or archive of the set.
    private var folder: String { invocation.operand ?? "" }
    private var catalog: SourceCatalog { command.session.opener.catalog }

    // MARK: Exporting

    func export() throws -> Int32 {
        let exporter = SetExporter(command.regions, catalog, to: folder)
        let records = try command.store.regions(), (extras, unread) = try extras()
        let outcome: SetExporter.Outcome
        do {
            outcome = try ProgressMeter.run("exporting", .count("tiles")) {
                try exporter.export(records, extras)
            }
        } catch let failure as TransferSetFailure {
            throw Notice.Problem(FailureText.sentence(failure))
        }
        let leftOut = unread + outcome.leftOut
        for sentence in leftOut {
            Output.say("rhumb: left out \(SafeText.sanitised(sentence, limit: 300))")
        }
        try invocation.print(
            [
                "\(SafeText.sanitised(folder)): \(AmountText.count(outcome.regions.count, "region")), "
                    + "\(AmountText.count(outcome.files, "file")), \(AmountText.bytes(outcome.bytes))"
            ],
            [
                "state": "exported", "path": .string(folder),
                "regions": .array(outcome.regions.map { .string($0) }), "files": .integer(outcome.files),
                "bytes": .integer(outcome.bytes), "leftOut": .messages(leftOut),
            ])
        return leftOut.isEmpty ? ExitStatus.done : ExitStatus.gaps
    }

    /// Returns the user's styles, the given overlays and the bookmarks, by their paths in the set, and
    /// sentences about those that can't be read.
    private func extras() throws -> (files: [(path: String, bytes: [UInt8])], unread: [String]) {
        var extras: [(path: String, bytes: [UInt8])] = [], unread: [String] = []
        if let data = folders.data {
            let styles = Files.names(in: data + "/style").filter {
                $0.hasSuffix(".json") && RegionSets.isPlain($0)
            }
            for name in styles {
                if let bytes = Files.read(data + "/style/" + name, limit: 16 << 20) {
                    extras.append(("styles/" + name, bytes))
                } else {
                    unread.append("\(FileProblem(data + "/style/" + name, limit: 16 << 20))")
                }
            }
        }
        let (bookmarks, fault) = BookmarkFile(folders).load()
        if let fault { unread.append("\(fault)") }
        if !bookmarks.isEmpty {
            extras.append(("bookmarks.json", Array(JSON.array(bookmarks.map(\.json)).text.utf8)))
        }
        for path in invocation[all: .over] {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            guard let bytes = Files.read(path, limit: 64 << 20) else {
                throw Notice.Problem("\(FileProblem(path, limit: 64 << 20))")
            }
            guard RegionSets.isPlain(name) else {
                throw Notice.Problem(
                    "\(SafeText.sanitised(name)): rename it, using only letters, digits, \".\", \"_\" and \"-\""
                )
            }
            extras.append(("overlays/" + name, bytes))
        }
        return (extras, unread)
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.hasPrefix(".")
            && name.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "._-".utf8.contains(byte)
            }
    }

    // MARK: Importing

    func importSet() throws -> Int32 {
        let outcome: SetImporter.Outcome, others: (added: [String], leftOut: [String])
        var unlisted: [String] = []
        do {
            let importer = try ProgressMeter.run("verifying", .share) {
                try SetImporter(folder, space: folders.data ?? ".")
            }
            outcome = try ProgressMeter.run("importing", .count("tiles")) {
                try importer.importRegions(into: command.regions, catalog, at: .now)
            }
            others = try importOthers(importer)
            if let first = importer.unlisted.first {
                let count = importer.unlisted.count
                unlisted = [
                    count == 1
                        ? "\(first): the set does not list it"
                        : "\(first) and \(count - 1) more files: the set does not list them"
                ]
            }
        } catch let failure as TransferSetFailure {
            throw Notice.Problem(FailureText.sentence(failure))
        } catch let failure as RegionDefinitionFailure {
            throw Notice.Problem(FailureText.sentence(failure))
        }
        let leftOut = outcome.leftOut + others.leftOut + unlisted
        for sentence in leftOut { Output.say("rhumb: left out \(SafeText.sanitised(sentence, limit: 300))") }
        try invocation.print(
            [
                "imported \(AmountText.count(outcome.regions.count, "region")), "
                    + AmountText.count(outcome.tiles, "tile")
            ] + others.added.map { "  " + SafeText.sanitised($0) },
            [
                "state": "imported", "regions": .array(outcome.regions.map { .string($0) }),
                "tiles": .integer(outcome.tiles), "files": .array(others.added.map { .string($0) }),
                "leftOut": .messages(leftOut),
            ])
        return leftOut.isEmpty ? ExitStatus.done : ExitStatus.gaps
    }

    /// Imports styles, overlays and bookmarks. What exists already is left out.
    private func importOthers(_ importer: SetImporter) throws -> (added: [String], leftOut: [String]) {
        var added: [String] = [], leftOut: [String] = []
        guard let data = folders.data else { return ([], [Folders.missing]) }
        for file in importer.files {
            if file.path == "bookmarks.json" {
                let known = Set(BookmarkFile(folders).load().bookmarks.map(\.letter))
                let (bookmarks, fault) = BookmarkFile.bookmarks(in: try importer.bytes(of: file))
                if let fault { leftOut.append("\(file.path): \(fault)") }
                for bookmark in bookmarks {
                    if known.contains(bookmark.letter) {
                        leftOut.append("bookmark \(bookmark.letter): the letter is in use")
                    } else {
                        _ = try BookmarkFile(folders).save(.set(bookmark))
                        added.append("bookmark \(bookmark.letter)")
                    }
                }
            }
            for (folder, own) in [("styles/", "/style/"), ("overlays/", "/overlays/")]
            where file.path.hasPrefix(folder) {
                let path = data + own + file.path.dropFirst(folder.count)
                guard !Files.exists(path) else {
                    leftOut.append("\(file.path): \(path) exists already")
                    continue
                }
                Files.makeFolder(data + own)
                try Files.write(try importer.bytes(of: file), to: path, isReplacing: false)
                added.append(path)
            }
        }
        return (added, leftOut)
    }
}
