internal import RhumbCore

extension MBTilesArchive {
    /// The properties in the metadata. Those of a GeoPackage are in tables that SQLite checks.
    public var declaredContent: DeclaredContent { DeclaredContent(metadata) }

    /// Checks the database and the metadata.
    public func checkStructure(isThorough: Bool, _ report: (VerificationFault) -> Void) throws {
        for problem in metadataProblems { report(VerificationFault(.metadata, problem)) }
        guard isThorough else { return }
        do {
            // The reader's limits are too low for a check of the whole file.
            let connection = try (try? Connection(path, .readOnly)) ?? Connection(path, .immutable)
            let rows = try connection.prepare("PRAGMA quick_check(10)", to: "check the database")
            while try rows.step() {
                guard let problem = rows.text(0), problem != "ok" else { continue }
                report(VerificationFault(.directory, problem))
            }
        } catch let failure as StoreFailure {
            report(VerificationFault(.directory, failure.reason))
        }
    }

    /// The missing and invalid rows of the metadata.
    private var metadataProblems: [String] {
        var faults = ["name", "format"].filter { metadata[$0] == nil }.map { "the row \"\($0)\" is missing" }
        if let metadataProblem { faults.append(metadataProblem) }
        let description = ArchiveDescription(metadata: metadata)
        if metadata["bounds"] != nil && !description.hasValidBounds {
            faults.append("the bounds are invalid")
        }
        let claimsZooms = metadata["minzoom"] != nil || metadata["maxzoom"] != nil
        if claimsZooms && description.zooms == nil { faults.append("minzoom and maxzoom are invalid") }
        if isFromNorth { faults.append("the rows count from the north (XYZ) instead of the south") }
        if metadata["json"]?.string != nil { faults.append("the row \"json\" is not JSON") }
        return faults
    }
}
