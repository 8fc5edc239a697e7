internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb archive tile --decode`: prints the features of a vector tile as GeoJSON.
struct TileDecoding {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() async throws -> Int32 {
        try await invocation.withArchive(invocation.operand ?? "") { try decode($0) }
    }

    private func decode(_ input: ArchiveInput) throws -> Int32 {
        guard let position = invocation[.tile] else { throw UsageError("archive tile: missing Z/X/Y") }
        let file = try invocation.newOutput()
        let location = "tile \(position) of \(input.name)"
        let tile = try open(try input.body(of: position), location)
        let layer = invocation[.layer]
        if let layer, !tile.layerNames.contains(layer) {
            let names = tile.layerNames.map { SafeText.sanitised($0, limit: 40) }.joined(separator: ", ")
            throw Notice.Problem(
                "\(location) has no layer \"\(SafeText.sanitised(layer, limit: 40))\"; "
                    + (names.isEmpty ? "it has no layers" : "it has \(names)"))
        }
        let decoded = TileGeoJSON(tile, at: position, layer: layer)
        // The text is safe for terminals, because JSON escapes control characters.
        try Output.write(decoded.text, to: file, links: invocation.linkRule)
        let skipped = tile.skippedParts.map { ["\($0) skipped"] } ?? []
        let problems = problems(decoded) + skipped
        for problem in problems { Output.say("rhumb: \(location): \(problem)") }
        return problems.isEmpty ? ExitStatus.done : ExitStatus.gaps
    }

    private func open(_ bytes: [UInt8], _ location: String) throws(Notice.Problem) -> VectorTile {
        let kind = TileKind(of: bytes)
        guard kind.isVector || kind == .unknown else {
            throw Notice.Problem(
                "\(location) is \(kind == .text ? "text" : "a \(kind.rawValue) image"), not a vector tile; "
                    + "write it without --decode")
        }
        return try converting(VectorTile(bytes)) { (error: VectorTileFailure) in
            Notice.Problem("\(location): \(error); write it without --decode to examine its bytes")
        }
    }

    private func problems(_ decoded: TileGeoJSON) -> [String] {
        var problems = decoded.damagedLayers.map {
            "layer \"\(SafeText.sanitised($0.name, limit: 40))\" is missing: \($0.failure)"
        }
        if decoded.damagedCount > 0 {
            problems.append("\(AmountText.count(decoded.damagedCount, "damaged feature")) skipped")
        }
        if decoded.shapelessCount > 0 {
            problems.append(
                "\(AmountText.count(decoded.shapelessCount, "feature")) without a readable geometry")
        }
        return problems
    }
}
