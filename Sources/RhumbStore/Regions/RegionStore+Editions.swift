public import RhumbCore
internal import RhumbEngine

/// New editions of a region's sources, which are stored beside the shown ones and then replace them.
extension RegionStore {
    /// Stores the parts and documents of new editions of a region. The shown ones stay; earlier new editions
    /// are dropped.
    /// - Parameters:
    ///   - parts: The new parts; empty if only documents are new.
    ///   - packs: The packs of the parts.
    /// - Throws: `RegionStoreFailure`
    public func stage(
        _ region: RegionRecord, _ parts: [RegionSourceRecord],
        packs: [(origin: TileOrigin, packs: any Sequence<TilePack>)],
        documents: [RegionDocument], at now: UnixSeconds
    ) throws(RegionStoreFailure) {
        try write(region: region.number, to: "start a new edition") { (writer) throws(StoreFailure) in
            try writer.forgetStage(1, of: region.number, keepingGaps: parts == region.coming)
            try writer.set(parts, of: region.number, isComing: true)
            try writer.set(packs, of: region.number)
            try writer.set(documents, of: region.number, isComing: true, at: now)
            try writer.sweepDocuments()
        }
    }

    /// Replaces the shown editions with the new ones in one transaction, and removes tiles that no region
    /// uses any more.
    /// - Parameter isHeld: Returns true for tiles that a region uses after the change; this region is
    ///   included.
    /// - Returns: The changed region.
    /// - Throws: `RegionStoreFailure`
    public func commitComing(
        _ region: RegionRecord, isHeld: @escaping TileClaim
    ) throws(RegionStoreFailure) -> RegionRecord {
        let removal = try write(region: region.number, to: "install a new edition") {
            (writer) throws(StoreFailure) in
            let hasDocuments = try writer.hasDocuments(coming: region.number)
            if hasDocuments { try writer.promote("region_documents", of: region.number) }
            try writer.sweepDocuments()
            guard !region.coming.isEmpty else { return RegionRemoval() }
            for table in ["parts", "gaps"] { try writer.promote(table, of: region.number) }
            return try writer.sweep(writer.packs(of: region.number), isHeld: isHeld)
        }
        if removal.tiles > 0 { try compact() }
        return try self.region(region.id)
    }
}

extension RegionWriter {
    fileprivate func forgetStage(_ stage: Int, of region: Int, keepingGaps: Bool) throws(StoreFailure) {
        for table in ["parts", "region_documents"] + (keepingGaps ? [] : ["gaps"]) {
            try connection.run(
                "DELETE FROM \(table) WHERE region = @region AND stage = @stage",
                ["region": region, "stage": stage])
        }
    }

    fileprivate func hasDocuments(coming region: Int) throws(StoreFailure) -> Bool {
        try connection.integer("SELECT count(*) FROM region_documents WHERE stage = 1 AND region = \(region)")
            > 0
    }

    fileprivate func promote(_ table: String, of region: Int) throws(StoreFailure) {
        try connection.run("DELETE FROM \(table) WHERE region = @region AND stage = 0", ["region": region])
        try connection.run("UPDATE \(table) SET stage = 0 WHERE region = @region", ["region": region])
    }
}
