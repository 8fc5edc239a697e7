public import RhumbCore
internal import RhumbEngine

/// Style packs. Their documents are stored in the same way as those of regions.
extension RegionStore {
    /// Returns all style packs, sorted by address.
    /// - Throws: `RegionStoreFailure`
    public func stylePacks() throws(RegionStoreFailure) -> [StylePack] {
        try read { (table) throws(StoreFailure) in
            let rows = try table.connection.prepare(
                "SELECT * FROM style_packs ORDER BY address", to: "list the style packs")
            return try rows.all { (row) throws(StoreFailure) in try table.stylePack(row) }
        }
    }

    /// Returns the pack of a style; nil if there is none.
    /// - Throws: `RegionStoreFailure`
    public func stylePack(_ address: String) throws(RegionStoreFailure) -> StylePack? {
        try stylePacks().first { $0.address == address }
    }

    /// Returns the stored document of a style; nil if the style has no pack.
    public func packedStyle(_ address: String) -> StoredResponse? {
        try? read { (table) throws(StoreFailure) in
            let rows = try table.connection.prepare(
                """
                SELECT edition FROM style_packs JOIN region_documents USING (address)
                WHERE region = -number AND address = ?1
                """, to: "find a style")
            try rows.bind(1, address)
            guard try rows.step(), let edition = rows.text("edition"),
                let origin = try table.originID(.document(address, edition: edition))
            else { return nil }
            return try table.response(at: EntryKey(document: origin))?.0
        } ?? nil
    }

    /// Stores a style pack, replacing one with the same address.
    /// - Parameter documents: The documents, the style first.
    /// - Throws: `RegionStoreFailure`
    public func set(
        _ pack: StylePack, documents: [RegionDocument], at now: UnixSeconds
    ) throws(RegionStoreFailure) {
        try write { (writer) throws(StoreFailure) in
            try writer.connection.transaction(to: "store a style pack") { () throws(StoreFailure) in
                let number = try writer.put(pack, at: now)
                try writer.set(documents, of: -number, isComing: false, at: now)
                try writer.sweepDocuments()
            }
        }
        post(.stylePackStored(pack))
    }

    /// Removes a style pack.
    /// - Returns: Its documents, which other packs or regions may use.
    /// - Throws: `RegionStoreFailure`
    public func removeStylePack(_ address: String) throws(RegionStoreFailure) -> [RegionDocument] {
        let removed = try write { (writer) throws(StoreFailure) in
            try writer.connection.transaction(to: "remove a style pack") {
                () throws(StoreFailure) -> [RegionDocument]? in
                guard let number = try writer.number(ofStylePack: address) else { return nil }
                let documents = try writer.table.documents(of: -number, isComing: false).found
                try writer.connection.run(
                    "DELETE FROM region_documents WHERE region = @region", ["region": -number])
                try writer.connection.run(
                    "DELETE FROM style_packs WHERE number = @number", ["number": number])
                try writer.sweepDocuments()
                return documents
            }
        }
        if removed != nil { post(.stylePackRemoved(address: address)) }
        return removed ?? []
    }
}

extension ResponseTable {
    fileprivate func stylePack(_ row: Statement) throws(StoreFailure) -> StylePack {
        func json(_ column: String) -> JSON {
            (try? JSON.parse(Array((row.text(column) ?? "").utf8))) ?? .null
        }
        let address = row.text("address") ?? "", number = row.int("number") ?? 0
        var pack = StylePack(
            address: address, name: row.text("name") ?? "", metadata: json("metadata"),
            missing: (json("missing").array ?? []).map {
                StylePack.Missing(address: $0["address"]?.string ?? "", reason: $0["reason"]?.string ?? "")
            }, changed: UnixSeconds(Int64(row.int("changed") ?? 0)))
        let held = try connection.prepare(
            """
            SELECT carried.address, entries.size, received - age + lifetime AS expires FROM region_documents AS carried
            JOIN origins ON kind = 1 AND origins.address = carried.address AND origins.edition = carried.edition
            JOIN entries ON origin = id AND z = -1
            WHERE region = ?1 ORDER BY carried.address <> ?2, carried.address
            """, to: "list the style packs")
        try held.bind(1, -number)
        try held.bind(2, address)
        while try held.step() {
            let document = held.text("address") ?? ""
            pack.documents.append(document)
            pack.bytes += held.int("size") ?? 0
            guard !document.hasPrefix("file:"), let expires = held.moment("expires") else { continue }
            pack.expires = min(pack.expires ?? expires, expires)
        }
        return pack
    }
}

extension RegionWriter {
    fileprivate func put(_ pack: StylePack, at now: UnixSeconds) throws(StoreFailure) -> Int {
        let missing = JSON.array(
            pack.missing.map { ["address": .string($0.address), "reason": .string($0.reason)] })
        try connection.run(
            """
            INSERT INTO style_packs (address, name, metadata, missing, changed)
            VALUES (@address, @name, @metadata, @missing, @now)
            ON CONFLICT (address) DO UPDATE SET name = @name, metadata = @metadata, missing = @missing, changed = @now
            """,
            [
                "address": pack.address, "name": pack.name, "metadata": pack.metadata.text,
                "missing": missing.text, "now": Int(now.value),
            ])
        return try number(ofStylePack: pack.address) ?? 0
    }

    fileprivate func number(ofStylePack address: String) throws(StoreFailure) -> Int? {
        let rows = try connection.prepare(
            "SELECT number FROM style_packs WHERE address = ?1", to: "find a style pack")
        try rows.bind(1, address)
        return try rows.first { $0.int("number") }
    }
}
