internal import Glibc
internal import RhumbCore
internal import RhumbEngine

extension TileFolder {
    /// Calls a function for each tile. The place is the identity of the file.
    public func walk(_ detail: TileDetail, _ visit: (StoredTileRun) throws -> Void) throws {
        var last: TileID?, done = 0
        try eachFile(FolderListing(path: path).zooms()) { tile, file in
            try Task.checkCancellation()
            WorkProgress.report(done, of: nil)
            done += 1
            // A tile may exist with two extensions.
            guard tile != last else { return }
            last = tile
            try visit(run(tile, file, detail))
        }
    }

    private func run(_ tile: TileID, _ file: String, _ detail: TileDetail) -> StoredTileRun {
        if case .ids = detail { return StoredTileRun(tile) }
        guard let facts = FileFacts(file) else {
            let failure = TileFailure(.unreadable, FileProblem(file, errno: errno).description)
            return StoredTileRun(tile, body: .failure(failure), fault: .unreadable)
        }
        let location = facts.node ^ facts.device << 48
        var body: Result<[UInt8], TileFailure> = .success([])
        if detail.needsBody(at: location) {
            body = Result { () throws(TileFailure) in try contents(of: file, tile) }
        }
        return StoredTileRun(
            tile, body: body, bytes: Int(clamping: facts.size), location: location, fault: .unreadable)
    }

    /// The properties in the JSON file.
    public var declaredContent: DeclaredContent { DeclaredContent(metadata) }

    /// Checks the JSON file, and that each tile has one file.
    public func checkStructure(isThorough: Bool, _ report: (VerificationFault) -> Void) throws {
        if metadata.object?.isEmpty ?? true {
            report(VerificationFault(.metadata, "there is no valid metadata.json"))
        }
        var last: TileID?
        try eachFile(FolderListing(path: path).zooms()) { tile, _ in
            try Task.checkCancellation()
            if tile == last {
                report(VerificationFault(.duplicate, .tile(tile), "it has two files"))
            }
            last = tile
        }
    }

    private func eachFile(_ zooms: [Int], _ body: (TileID, _ file: String) throws -> Void) rethrows {
        let listing = FolderListing(path: path)
        for zoom in zooms {
            for column in listing.columns(zoom) {
                for (row, name) in listing.tiles(zoom, column) {
                    let y = scheme == .tms ? (1 << zoom) - 1 - row : row
                    guard let tile = TileID(zoom: zoom, x: column, y: y) else { continue }
                    try body(tile, "\(path)/\(zoom)/\(column)/\(name)")
                }
            }
        }
    }
}
