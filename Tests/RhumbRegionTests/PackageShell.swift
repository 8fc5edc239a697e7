import RhumbCore
import RhumbTestSupport

/// The shell of a user who has configured a publisher's catalogue.
protocol PackageShell {
    var publisher: PackageFixture { get }
    var box: CommandFixture { get }
}

extension PackageShell {
    static func configured() throws -> (PackageFixture, CommandFixture) {
        let publisher = try PackageFixture(), box = try CommandFixture()
        publisher.publishCountries()
        box.folder.write(Array(#"{"catalog": ["\#(publisher.address)"]}"#.utf8), to: "config.json")
        return (publisher, box)
    }

    func run(_ words: String...) async -> ProgramRun {
        await ProgramRun.of(CommandFixture.program, words + box.places, environment: box.environment)
    }

    func start(_ words: String...) -> ChildProgram {
        ChildProgram(
            CommandFixture.program, words + box.places, environment: box.environment,
            errors: box.folder.path + "/errors.txt")
    }
}
