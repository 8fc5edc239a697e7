internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import RhumbTerminal

/// Prints an error message, and ends the program.
func end(_ message: String, _ status: Int32) -> Never {
    Output.say("rhumb: \(message)")
    exit(status)
}

func run(_ invocation: Invocation) async throws -> Int32 {
    Output.configure(invocation)
    if let renaming = invocation.renaming { Output.note("rhumb: \(renaming)") }
    if invocation[.help] {
        try Output.print(HelpText.text(for: CommandTable.command(invocation.command)))
    } else if invocation[.version] {
        try Output.print("rhumb \(CommandTable.versionAndCommit)\n")
    } else if invocation[.printConfig] {
        try Output.write(Array(Configuration.example.utf8))
    } else {
        let signals = Signals.removingFiles(of: invocation)
        // The files are complete, or removed: a signal no longer changes the result.
        defer { withExtendedLifetime(signals) { if $0 != nil { Signals.ignore() } } }
        return try await perform(try await invocation.locatingPlaces())
    }
    return ExitStatus.done
}

func perform(_ invocation: Invocation) async throws -> Int32 {
    switch invocation.command {
    case .open:
        try refuseMisspelling(invocation)
        try invocation.refuseUnknownMap()
        return try await MapCommand.run(invocation)
    case .streets: return try await MapCommand.run(invocation)
    case .pick(let verb?):
        return try await MapCommand.run(invocation, picking: try PickCommand.request(verb, invocation))
    case .bookmark(let verb?): return try BookmarkCommand(invocation).run(verb)
    case .render:
        try invocation.refuseUnknownMap()
        return try await RenderCommand.run(invocation)
    case .source(let verb?): return try await SourceCommand(invocation).run(verb)
    case .contours: return try await ContoursCommand(invocation).run()
    case .archive(.info): return try await ArchiveInfoCommand(invocation).run()
    case .archive(.tile): return try await TileCommand(invocation).run()
    case .archive(.convert): return try await ArchiveCopyCommand(invocation).convert()
    case .archive(.merge): return try await MergeCommand(invocation).run()
    case .archive(.extract): return try await ArchiveCopyCommand(invocation).extract()
    case .archive(.diff): return await DiffCommand(invocation).run()
    case .patch(let verb?): return try await PatchCommand(invocation).run(verb)
    case .serve: return try await ServeCommand.run(invocation)
    case .area(let verb?): return try await AreaCommand(invocation).run(verb)
    case .region(let verb?): return try await RegionCommand.run(verb, invocation)
    case .package(let verb?): return try await PackageCommand.run(verb, invocation)
    case .packageKey(let verb?): return try PackageKeyCommand(invocation).run(verb)
    case .update(let verb?): return try await UpdateCommand.run(verb, invocation)
    case .cache(let verb?): return try await CacheCommand(invocation).run(verb)
    case .style(let verb?): return try await StyleCommand(invocation).run(verb)
    case .stylePack(let verb): return try await StylePackCommand.run(verb, invocation)
    case .search: return try await SearchCommand(invocation).run()
    case .describe: return try await DescribeCommand.run(invocation)
    case .track: return try await TrackCommand(invocation).run()
    case .route where invocation[.within] != nil: return try await ReachCommand.run(invocation)
    case .route: return try await RouteCommand.run(invocation)
    case .doctor: return try await DoctorCommand(invocation).run()
    case .help: try HelpCommand(invocation: invocation).run()
    case .man:
        let group = invocation.operand.flatMap(CommandGroup.init)
        try Output.write(Array((group.map(ManPage.text(of:)) ?? ManPage.text).utf8))
    case .completions:
        if let names = invocation.operand.flatMap(StoredNames.init) {
            return try await names.print(invocation)
        }
        try Output.write(Array((Completions.script(for: invocation.operand ?? "") ?? "").utf8))
    case .pick(nil), .source(nil), .region(nil), .package(nil), .packageKey(nil), .update(nil), .cache(nil),
        .style(nil),
        .patch(nil), .area(nil), .archive(nil), .bookmark(nil):
        try Output.print(HelpText.text(for: CommandTable.command(invocation.command)))
    }
    return ExitStatus.done
}

/// Rejects a word that is neither a file nor a source but resembles a command.
func refuseMisspelling(_ invocation: Invocation) throws {
    guard let operand = invocation.operand, invocation.namedPlace == nil, !Files.exists(operand),
        let command = CommandTable.probable(operand),
        try invocation.catalog().source(named: operand) == nil
    else { return }
    throw UsageError("no file or command \(operand); did you mean rhumb \(command)?")
}

Memory.prepare()
CrashReport.install()
Output.prepare()
Output.openLog(Environment.all)
// Makes writing fail with an error if the reader is gone or a file may not grow.
for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
do {
    let arguments = Array(URLCredentials.own.takeArguments().dropFirst())
    // Commands and the main loop wait for disks, servers and keys, so they run on threads that may block.
    exit(
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            try await run(Invocation(arguments).completed(by: arguments, Environment.all))
        })
} catch let error as UsageError {
    end("\(error)", ExitStatus.wrongUsage)
} catch {
    end(FailureText.sentence(error), ExitStatus.failed)
}
