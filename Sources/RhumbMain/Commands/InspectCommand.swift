internal import Rhumb
internal import RhumbCommandLine

/// `rhumb inspect`: reports the contents of an archive.
struct InspectCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() async throws -> Int32 {
        let path = invocation.operand ?? ""
        let input = ArchiveInput(path, try TileProbes.open(path, isTMS: invocation[.tms]))
        let archive = input.archive
        if let image = archive as? GeoTIFFArchive {
            var sheet = FactSheet()
            for fact in image.facts { sheet.add(fact.key, fact.name, fact.text) }
            try invocation.print(sheet)
            return ExitStatus.done
        }
        let outcome = try await ArchiveWork.run("inspecting") {
            let inspection = try archive.inspect { try? SniffingDecoder().decode($0, limits: .tile) }
            try input.checkUnchanged()
            return inspection
        }
        guard case .done(let inspection) = outcome else { return outcome.interruption }
        let more = "  To check everything: rhumb verify \(input.name)"
        try invocation.print(inspection.lines + [more], inspection.json)
        return inspection.faults.isEmpty ? ExitStatus.done : ExitStatus.gaps
    }
}
