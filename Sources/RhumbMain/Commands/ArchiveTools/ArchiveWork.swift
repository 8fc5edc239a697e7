internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The archive that a command wrote.
struct WrittenArchive: Sendable {
    let summary: ExportSummary
    /// The number of tiles that several inputs have; nil for commands with one input.
    var duplicates: Int?
    /// The number of tiles in a patch, and of those that are in both archives; nil for other commands.
    var changed: Int?
    var common: Int?
}

/// The work of a command on archives, with progress.
enum ArchiveWork {
    /// Runs the work.
    /// - Parameter label: The name of the work in the progress line.
    static func run<Value: Sendable>(
        _ label: String, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        do {
            return try ProgressMeter.run(label, .count("tiles"), work)
        } catch let failure as ExportFailure where failure.reason == .exists {
            throw Notice.Problem(existing: failure)
        } catch let failure as ArchiveCopyFailure where failure.reason == .duplicate {
            throw Notice.Problem("\(failure.file): \(failure.problem); choose one with --on-duplicate")
        }
    }
}

extension Notice.Problem {
    /// - Parameter failure: The failure for an output file that exists.
    init(existing failure: ExportFailure) {
        self.init("can't write \(failure.file): \(failure.problem); replace it with --force")
    }
}

extension Invocation {
    /// Returns the path of the output file; nil for standard output.
    /// - Throws: `Notice.Problem` if the file exists, unless it may be replaced.
    func newOutput() throws(Notice.Problem) -> String? {
        let file = Output.file(self[.output])
        if let file, FileFacts(file)?.isFile == true, !self[.force] {
            throw Notice.Problem("can't write \(file): it exists; replace it with --force")
        }
        return file
    }

    /// The rule for an output that is a symbolic link.
    var linkRule: PartFile.LinkRule { self[.force] ? .replace : .refuse }

    /// Opens an archive.
    func archive(_ path: String) throws -> ArchiveInput {
        ArchiveInput(path, try TileProbes.open(path, isTMS: self[.tms]))
    }

    /// Opens an archive on this machine, or one at an address that can be read in parts, and passes it to a
    /// closure.
    func withArchive<Value>(
        _ path: String, _ body: (ArchiveInput) async throws -> Value
    ) async throws -> Value {
        try await withArchives([path]) { try await body($0[0]) }
    }

    /// Opens several archives, as `withArchive` does.
    func withArchives<Value>(
        _ paths: [String], _ body: ([ArchiveInput]) async throws -> Value
    ) async throws -> Value {
        func checked(_ inputs: [ArchiveInput]) -> [ArchiveInput] {
            for input in inputs {
                guard let problem = input.metadataProblem else { continue }
                Output.say("rhumb: \(SafeText.sanitised(input.path)): \(problem)")
            }
            return inputs
        }
        guard paths.contains(where: SourceDefinition.isAddress) else {
            return try await body(checked(paths.map(archive)))
        }
        return try await withSession { session in
            var inputs: [ArchiveInput] = []
            for path in paths {
                let isRemote = SourceDefinition.isAddress(path)
                inputs.append(try isRemote ? await remoteArchive(path, session) : archive(path))
            }
            return try await body(checked(inputs))
        }
    }

    private func remoteArchive(_ address: String, _ session: MapSession) async throws -> ArchiveInput {
        let source = try SourceDefinition(address: address)
        guard source.kind == .archive else {
            let names = ArchiveContainer.allCases.filter(\.isReadInParts).map(\.name).joined(separator: ", ")
            throw Notice.Problem(
                "\(source.name) is not an archive that can be read from a server in parts (\(names)); "
                    + "download the file first")
        }
        let archive: any TileArchive
        switch try await session.opener.web.layer(of: source, id: "archive").source {
        case let remote as RemoteArchive: archive = try remote.archive(probe: TileProbes.header)
        default:
            throw Notice.Problem("\(source.name) can't be read in parts; download it and open the file")
        }
        return ArchiveInput(address, archive)
    }

    /// Prints the amount of data to load for reading a whole archive from a server, or a sample of it.
    func noteSize(of input: ArchiveInput) {
        guard let bytes = input.archive.remoteSize else { return }
        let sample = self[.sample].map {
            ", loading at most \(AmountText.count($0, "tile")) of each zoom"
        }
        Output.note("\(input.name): \(AmountText.bytes(bytes))\(sample ?? "")")
    }

    /// Returns the path of the output.
    func requiredOutput() throws -> String {
        guard let path = self[.output] else {
            throw UsageError("\(command.text) needs -o FILE that ends in \(ArchiveFormat.suffixes)")
        }
        return path
    }

    /// Prints the new archive of a command.
    /// - Parameters:
    ///   - inputs: The archives that it was made from.
    ///   - state: The value of "state" in JSON.
    /// - Returns: The exit status: 3 if metadata or tiles of an input were left out.
    func report(
        _ written: WrittenArchive, of inputs: [ArchiveInput], at path: String, state: String
    ) throws -> Int32 {
        let archive = written.summary, duplicates = written.duplicates
        let tiles = AmountText.count(archive.tiles, "tile"), zooms = archive.zooms
        var line =
            "\(SafeText.sanitised(path)): \(tiles), zooms \(zooms.lowerBound)-\(zooms.upperBound), "
        line += AmountText.bytes(archive.bytes)
        if let duplicates { line += "; " + AmountText.count(duplicates, "duplicate") }
        if archive.emptyTiles > 0 {
            line += "; left out \(AmountText.count(archive.emptyTiles, "tile")) without content"
        }
        let omissions = archive.omissions
        if omissions.repeated > 0 {
            line +=
                "; left out \(AmountText.count(omissions.repeated, "further body", plural: "further bodies")) of tiles"
            line += " that occur more than once (\(omissions.repeatedTiles.listed(of: omissions.repeated)))"
        }
        if omissions.invalid > 0 {
            line += "; left out \(AmountText.count(omissions.invalid, "part")) in no valid position"
            for problem in omissions.problems { Output.say("rhumb: \(SafeText.sanitised(problem))") }
        }
        if let changed = written.changed, let common = written.common {
            line += "; \(AmountText.count(changed)) changed, \(AmountText.count(common)) in common"
        }
        var json: JSON = [
            "state": .string(state), "path": .string(path), "tiles": .integer(archive.tiles),
            "bodies": .integer(archive.bodies), "bytes": .integer(archive.bytes),
            "minZoom": .integer(zooms.lowerBound), "maxZoom": .integer(zooms.upperBound),
            "emptyTiles": .integer(archive.emptyTiles), "repeatedTiles": .integer(omissions.repeated),
            "invalidTiles": .integer(omissions.invalid),
        ]
        if let changed = written.changed, let common = written.common {
            json = json.adding(["changed": .integer(changed), "common": .integer(common)])
        }
        if let duplicates { json = json.adding(["duplicates": .integer(duplicates)]) }
        try print([line], json)
        let isWhole = omissions.isEmpty && !inputs.contains { $0.metadataProblem != nil }
        return isWhole ? ExitStatus.done : ExitStatus.gaps
    }
}

extension [TileID] {
    /// The first tiles of a number in a sentence.
    fileprivate func listed(of count: Int) -> String {
        map(\.description).joined(separator: ", ") + (count > self.count ? " and others" : "")
    }
}
