public import RhumbCore

/// The reason why a GeoPackage can't be read.
public struct GeoPackageFailure: Error, CustomStringConvertible {
    /// A sentence that describes the failure.
    public let description: String
    /// True if the coordinate reference system is unsupported, so that the file must be converted.
    public let needsConversion: Bool
    /// True if a table without a coordinate reference system has coordinates that are not degrees.
    public let lacksReference: Bool

    init(_ description: String, needsConversion: Bool = false, lacksReference: Bool = false) {
        self.description = SafeText.sanitised(description, limit: 200)
        self.needsConversion = needsConversion
        self.lacksReference = lacksReference
    }
}

/// Reads the features of a GeoPackage, table by table.
public struct GeoPackage {
    private struct Table {
        let name: String, geometry: String
        /// The coordinate reference system; nil if it is undefined.
        let reference: WKBReader.Reference?
    }

    private let connection: Connection
    private var tables: [Table] = []
    private var current: (table: Table, rows: Statement, columns: [String])?
    private var row = 0
    /// The rows skipped because of invalid geometries or limits.
    public private(set) var faults = OverlayFaults()
    /// The number of features without a geometry so far.
    public private(set) var emptyFeatures = 0
    /// True if a table has no coordinate reference system, so that degrees on WGS 84 are assumed.
    public let assumesDegrees: Bool
    /// The maximum length of a stored attribute in characters.
    private static let longestValue = 400
    /// The maximum number of tables, and of columns per table.
    private static let tableLimit = 1000
    /// The maximum size of a geometry or value in bytes: a coastline of four million vertices.
    private static let largestValue = 64 << 20
    /// The remaining rows and bytes to read. Tables may be views that compute rows endlessly, whereas a
    /// stored row takes at least some bytes of the file. Small files have a higher minimum, because their
    /// views may join tables.
    private var rowsLeft: Int, bytesLeft: Int

    /// Opens a file.
    /// - Throws: `GeoPackageFailure` if it has no features, or none in a supported reference system.
    public init(_ path: String) throws(GeoPackageFailure) {
        let size = (try? FileBytes(path)).map { Int(clamping: $0.size) } ?? 0
        rowsLeft = max(100_000, size / 8)
        bytesLeft = max(256 << 20, Int(clamping: UInt64(size) * 4))
        var unknown = 0
        do {
            connection = try Connection(path, .readOnly)
            connection.limit(valueBytes: Self.largestValue, steps: MBTilesReader.stepLimit)
            guard try Self.isPackage(connection) else { throw Self.noPackage(path) }
            let rows = try connection.prepare(
                """
                SELECT c.table_name, g.column_name, g.srs_id FROM gpkg_contents c
                JOIN gpkg_geometry_columns g ON g.table_name = c.table_name WHERE c.data_type = 'features' LIMIT \(Self.tableLimit)
                """, to: "list its features")
            while try rows.step() {
                guard let name = rows.text(0), let geometry = rows.text(1) else { continue }
                let code = rows.int(2) ?? 0, reference: WKBReader.Reference?
                if code == 4326 {
                    reference = .degrees
                } else if Mercator.referenceCodes.contains(code) {
                    reference = .mercator
                } else if Self.isUndefined(code, connection) {
                    reference = nil
                } else {
                    unknown += 1
                    continue
                }
                tables.append(Table(name: name, geometry: geometry, reference: reference))
            }
            assumesDegrees = tables.contains { $0.reference == nil }
        } catch let failure as GeoPackageFailure {
            throw failure
        } catch {
            throw GeoPackageFailure("\(error)")
        }
        guard !tables.isEmpty || unknown == 0 else {
            throw GeoPackageFailure("its coordinate type is not supported", needsConversion: true)
        }
        guard !tables.isEmpty else { throw GeoPackageFailure("the GeoPackage has no feature tables") }
    }

    private static func isPackage(_ connection: Connection) throws(StoreFailure) -> Bool {
        try connection.prepare(
            "SELECT 1 FROM sqlite_master WHERE name = 'gpkg_contents'", to: "read the list of tables"
        ).step()
    }

    private static func noPackage(_ path: String) -> GeoPackageFailure {
        GeoPackageFailure(
            "it is a SQLite database, but no GeoPackage; convert its features with ogr2ogr -f GPKG out.gpkg "
                + SafeText.sanitised(path, limit: 80))
    }

    /// Returns true for an undefined coordinate reference system: one of the standard's, or that of GDAL.
    private static func isUndefined(_ code: Int, _ connection: Connection) -> Bool {
        if code == 0 || code == -1 { return true }
        let query = "SELECT srs_name FROM gpkg_spatial_ref_sys WHERE srs_id = \(code)"
        guard let rows = try? connection.prepare(query, to: "read the name of a reference system"),
            (try? rows.step()) == true
        else { return false }
        return rows.text(0)?.lowercased().hasPrefix("undefined") == true
    }

    /// Returns the next features; nil after the last.
    /// - Throws: `GeoPackageFailure` if the file can't be read, or its coordinates are not the assumed
    ///   degrees.
    public mutating func next(limit: Int) throws(GeoPackageFailure) -> [OverlayFeature]? {
        do {
            while true {
                if current == nil, try !beginTable() { return nil }
                var features: [OverlayFeature] = []
                while features.count < limit, let table = current {
                    row += 1
                    rowsLeft -= 1
                    guard rowsLeft >= 0, bytesLeft >= 0 else {
                        let what = rowsLeft < 0 ? "rows" : "data"
                        faults.add(
                            "\(table.table.name) has more \(what) than a file of this size can hold; rows from \(row) on were skipped"
                        )
                        current = nil
                        tables = []
                        break
                    }
                    // Stepping a finished statement again would restart it.
                    if try table.rows.step() { features += try read(table) } else { current = nil }
                }
                if !features.isEmpty { return features }
            }
        } catch let failure as GeoPackageFailure {
            throw failure
        } catch {
            throw GeoPackageFailure("\(error)")
        }
    }

    private mutating func beginTable() throws(StoreFailure) -> Bool {
        guard !tables.isEmpty else { return false }
        let table = tables.removeFirst()
        func quoted(_ name: String) -> String {
            "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
                + "\""
        }
        let facts = try connection.prepare("PRAGMA table_info(\(quoted(table.name)))", to: "list its columns")
        var columns: [String] = []
        while try facts.step(), columns.count < Self.tableLimit {
            if let name = facts.text(1), name != table.geometry { columns.append(name) }
        }
        row = 0
        let list = ([table.geometry] + columns).map(quoted).joined(separator: ", ")
        current = (
            table,
            try connection.prepare("SELECT \(list) FROM \(quoted(table.name))", to: "read its features"),
            columns
        )
        return true
    }

    private mutating func read(
        _ current: (table: Table, rows: Statement, columns: [String])
    ) throws(GeoPackageFailure) -> [OverlayFeature] {
        let bytes = current.rows.bytes(0) ?? []
        bytesLeft -= bytes.count
        var reader = WKBReader(bytes, current.table.reference ?? .degrees)
        let shapes: [OverlayFeature.Shape]
        do throws(WKBReader.Failure) {
            shapes = bytes.isEmpty ? [] : try reader.geoPackageShapes()
        } catch {
            guard current.table.reference != nil || !error.isOutOfRange else {
                throw GeoPackageFailure("\(error)", lacksReference: true)
            }
            faults.add("row \(row) of \(current.table.name): \(error)")
            return []
        }
        if shapes.isEmpty { emptyFeatures += 1 }
        var attributes = OverlayAttributes(), name = ""
        for (at, column) in current.columns.enumerated() where !current.rows.isNull(at + 1) {
            guard let value = current.rows.text(at + 1) else { continue }
            bytesLeft -= value.utf8.count
            attributes.append(column, String(value.prefix(Self.longestValue)))
            if name.isEmpty, ["name", "title", "label"].contains(column.lowercased()) { name = value }
        }
        return shapes.map { OverlayFeature($0, name: name, attributes: attributes) }
    }
}
