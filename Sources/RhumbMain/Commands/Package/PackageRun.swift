internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// An operation on packages in the foreground. A line shows its progress. A signal interrupts it, and the
/// same command then resumes it.
struct PackageRun {
    private let invocation: Invocation
    /// The command and its packages, as the user would type them.
    private let arguments: [String]

    init(_ invocation: Invocation, _ command: String, _ ids: [String] = []) {
        self.invocation = invocation
        arguments = command.split(separator: " ").map(String.init) + ids
    }

    /// The catalogues on the command line, as arguments.
    private var catalogs: [String] {
        invocation[all: .catalog].flatMap { ["--\(Option.catalog.name)", $0] }
    }

    private var line: String {
        let words = arguments + catalogs.map { SafeText.sanitised($0, limit: 200).shellQuoted }
        return "rhumb \(words.joined(separator: " "))"
    }

    /// Starts a separate process that performs the operation, unless it would be refused immediately.
    private func detach(_ operation: PackageOperation, by loader: MapLoader) throws -> Int32 {
        do throws(MapLoaderBusy) { try loader.requireIdle(for: operation) } catch { return try refuse(error) }
        let features = invocation[.features].map { ["--\(Option.features.name)", $0] } ?? []
        let permitted = invocation[.permitted] ? ["--\(Option.permitted.name)"] : []
        let heights =
            (invocation[.heights] ? ["--\(Option.heights.name)"] : [])
            + (invocation[.noHeights] ? ["--\(Option.noHeights.name)"] : [])
            + (invocation[.terrain].map { ["--\(Option.terrain.name)", $0] } ?? [])
        let key = invocation[.key].map { ["--\(Option.key.name)", $0] } ?? []
        return try invocation.detach(
            arguments + catalogs + features + heights + permitted + key, watching: "rhumb package list")
    }

    /// Runs an operation for each catalogue until one fails.
    /// - Throws: A sentence if it needs the network, and the user has disabled that.
    func run(
        _ operation: PackageOperation, _ loaders: [MapLoader],
        _ begin: (MapLoader) async throws -> PackageJob
    ) async throws -> Int32 {
        if invocation[.offline], operation != .clear, operation != .uninstall {
            throw Notice.Problem("\(line) needs the network, so nothing was changed; omit --offline")
        }
        if invocation[.detach], let loader = loaders.first { return try detach(operation, by: loader) }
        let signals = Signals.ending(resume: line)
        defer { withExtendedLifetime(signals) {} }
        var status = ExitStatus.done
        for loader in loaders {
            let own = try await run(loader, begin)
            guard own == ExitStatus.done || own == ExitStatus.gaps else { return own }
            status = max(status, own)
        }
        return status
    }

    private func run(
        _ loader: MapLoader, _ begin: (MapLoader) async throws -> PackageJob
    ) async throws -> Int32 {
        let job: PackageJob
        do { job = try await begin(loader) } catch OfflineFailure.busy(let busy) { return try refuse(busy) }
        let status = try await follow(job)
        // The first key is trusted, so the user compares it with the publisher's.
        if status == ExitStatus.done, let notice = await loader.takeKeyNotice() {
            Output.say("rhumb: \(notice)")
        }
        return status
    }

    private func refuse(_ busy: MapLoaderBusy) throws -> Int32 {
        if invocation[.json] {
            try invocation.print(["state": "failed", "result": "busy", "message": .string("\(busy)")])
        }
        Output.say("rhumb: \(busy)")
        return ExitStatus.failed
    }

    private func follow(_ job: PackageJob) async throws -> Int32 {
        let end = await job.run(
            resume: line,
            onRefusal: {
                Output.say(
                    "rhumb: the download is complete and is being installed, which can't be interrupted")
            })
        try report(end.outcome, job.progress.operation)
        return end.exitStatus
    }

    private func report(_ result: MapLoaderResult, _ operation: PackageOperation) throws {
        guard case .success(let ids) = result else {
            if invocation[.json] { try invocation.print(result.json(of: operation)) }
            return
        }
        let sentence =
            ids.isEmpty ? operation.nothingToDo : "\(operation.done) \(ids.joined(separator: ", "))"
        try invocation.print([sentence], result.json(of: operation))
    }
}

extension PackageOperation {
    var done: String {
        switch self {
        case .install: "installed"
        case .uninstall: "removed"
        case .update: "updated"
        case .resume: "finished"
        case .repair: "repaired"
        case .clear: "removed"
        case .normalise: "adjusted"
        }
    }

    var nothingToDo: String {
        switch self {
        case .install: "Already installed"
        case .uninstall: "Not installed"
        case .update: "All packages are up to date"
        case .resume: "Nothing to resume"
        case .repair: "Nothing to repair"
        case .clear: "Nothing to remove"
        case .normalise: "Nothing to change"
        }
    }
}

extension MapLoaderResult {
    /// Returns the result as JSON.
    fileprivate func json(of operation: PackageOperation) -> JSON {
        switch self {
        case .success(let ids):
            [
                "state": .string(ids.isEmpty ? "unchanged" : operation.done), "result": .string(word),
                "count": .integer(ids.count), "packages": .array(ids.map(JSON.string)),
            ]
        case .failure(let failure):
            ["state": "failed", "result": .string(word), "message": .string(FailureText.sentence(failure))]
        }
    }
}
