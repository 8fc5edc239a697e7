internal import Rhumb
internal import RhumbCommandLine

/// `rhumb archive convert` and `rhumb archive extract`: copy an archive, or a part of it.
struct ArchiveCopyCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func convert() async throws -> Int32 {
        let path = invocation.operands[1]
        return try await invocation.withArchive(invocation.operands[0]) { input in
            invocation.noteSize(of: input)
            let copy = try ArchiveCopy(of: input, to: path, isReplacing: invocation[.force])
            let written = try await ArchiveWork.run("converting") {
                WrittenArchive(summary: try copy.convert())
            }
            return try invocation.report(written, of: [input], at: path, state: "converted")
        }
    }

    func extract() async throws -> Int32 {
        let path = try invocation.requiredOutput(), zooms = invocation[.zooms]
        guard invocation[.distance] == nil || invocation[.along] != nil else {
            throw UsageError("--distance needs --along FILE.gpx")
        }
        guard let area = try await invocation.geometry(width: 2 * (invocation[.distance] ?? 1000)) else {
            throw UsageError(
                "extract needs an area: --bbox W,S,E,N, --region FILE.geojson or --along FILE.gpx")
        }
        let status = try await invocation.withArchive(invocation.operand ?? "") { input in
            let copy = try ArchiveCopy(of: input, to: path, isReplacing: invocation[.force])
            let written = try await ArchiveWork.run("extracting") {
                let summary = try copy.extract(area.geometry, zooms: zooms) { tiles, plan in
                    let requests = AmountText.count(plan.requests, "request")
                    Output.note(
                        "\(AmountText.count(tiles, "tile")): \(AmountText.bytes(plan.bytes)) in \(requests)")
                }
                return WrittenArchive(summary: summary)
            }
            return try invocation.report(written, of: [input], at: path, state: "extracted")
        }
        return status == ExitStatus.done && !area.isWhole ? ExitStatus.gaps : status
    }
}
