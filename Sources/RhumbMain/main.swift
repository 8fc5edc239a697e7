internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import RhumbTerminal

/// Says what went wrong and ends.
func end(_ words: String, _ status: Int32) -> Never {
    Output.say("rhumb: \(words)")
    exit(status)
}

func run(_ invocation: Invocation) throws -> Int32 {
    if invocation[.help] { try Output.print(HelpText.text(for: CommandTable.command(invocation.command))) }
    else if invocation[.version] { try Output.print("rhumb \(CommandTable.version)\n") }
    else if invocation[.printConfig] { try Output.print(Configuration.example) }
    else { return try perform(invocation) }
    return ExitStatus.done
}

func perform(_ invocation: Invocation) throws -> Int32 {
    switch invocation.command {
    case .open:
        try refuseMisspelling(invocation)
        return try OpenMap.run(invocation, Environment.all)
    case .render: return try RenderCommand(invocation, Environment.all).run()
    case .source(let verb?): return try SourceCommand(invocation, Environment.all).run(verb)
    case .inspect: return try InspectCommand(invocation).run()
    case .features: return try FeaturesCommand(invocation: invocation).run()
    case .region(let verb?): return try RegionCommand(verb, invocation, Environment.all).run()
    case .cache(let verb?): return try CacheCommand(invocation, Environment.all).run(verb)
    case .style(.check): return try StyleCommand(invocation: invocation).run()
    case .search: return try SearchCommand(invocation).run()
    case .doctor: return try DoctorCommand(invocation).run()
    case .help where invocation.operand == "promises": try Output.print(Promises.text)
    case .help:
        let named = CommandTable.command(invocation.operand ?? "") ?? CommandTable.open
        try Output.print(HelpText.text(for: named))
    case .man: try Output.print(ManPage.text(keys: Keymap.standard.rows))
    case .completions:
        try Output.print(Completions.script(for: invocation.operand ?? "") ?? "")
    case .source(nil), .region(nil), .cache(nil), .style(nil):
        try Output.print(HelpText.text(for: CommandTable.command(invocation.command)))
    }
    return ExitStatus.done
}

/// A word that is neither a file nor a source may be a command that was written wrong.
func refuseMisspelling(_ invocation: Invocation) throws {
    guard let operand = invocation.operand, !Files.exists(operand), let command = CommandTable.probable(operand),
        try SourceCatalog(invocation.configuration(Environment.all), [:]).source(named: operand) == nil
    else { return }
    throw UsageError("there is no file and no command \(operand); did you mean rhumb \(command)?")
}

CrashReport.install()
Output.prepare()
// Writing says so where nobody reads any more, or a file may not grow.
for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
do {
    let words = Array(TypedKeys.takeArguments().dropFirst())
    exit(try run(Invocation(words).completed(by: words, Environment.all)))
} catch let error as UsageError {
    end("\(error)", ExitStatus.wrongUsage)
} catch {
    end("\(error)", ExitStatus.failed)
}
