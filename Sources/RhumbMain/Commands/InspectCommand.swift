internal import Rhumb
internal import RhumbCommandLine

/// `rhumb inspect`: reports the contents of an archive.
struct InspectCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() throws -> Int32 {
        let archive = try TileProbes.open(invocation.operand ?? "", isTMS: invocation[.tms])
        if let image = archive as? GeoTIFFArchive {
            var sheet = FactSheet()
            for fact in image.facts { sheet.add(fact.key, fact.name, fact.text) }
            try invocation.print(sheet)
            return ExitStatus.done
        }
        let inspection = try ProgressMeter.run("inspecting", .count("tiles")) {
            try archive.inspect { try? SniffingDecoder().decode($0, limits: .tile) }
        }
        try invocation.print(inspection.lines, inspection.json)
        return inspection.faults.isEmpty ? ExitStatus.done : ExitStatus.gaps
    }
}
