public import RhumbCore

/// The reason why a GeoPackage can't be read.
public struct GeoPackageFailure: Error, CustomStringConvertible {
    /// A sentence that describes the failure.
    public let description: String
    /// True if the coordinate reference system is unsupported, so that the file must be converted.
    public let needsConversion: Bool

    init(_ description: String, needsConversion: Bool = false) {
        self.description = SafeText.sanitised(description, limit: 200)
        self.needsConversion = needsConversion
    }
}

/// Reads the features of a GeoPackage, table by table.
public struct GeoPackage {
    private struct Table { let name: String, geometry: String, reference: WKBReader.Reference }

    private let connection: Connection
    private var tables: [Table] = []
    private var current: (table: Table, rows: Statement, columns: [String])?
    private var row = 0
    /// The rows skipped because of invalid geometries or limits.
    public private(set) var faults = OverlayFaults()
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
        do throws(StoreFailure) {
            connection = try Connection(path, .readOnly)
            connection.limit(valueBytes: Self.largestValue, steps: MBTilesReader.stepLimit)
            let rows = try connection.prepare(
                """
                SELECT c.table_name, g.column_name, g.srs_id FROM gpkg_contents c
                JOIN gpkg_geometry_columns g ON g.table_name = c.table_name WHERE c.data_type = 'features' LIMIT \(Self.tableLimit)
                """, to: "list its features")
            while try rows.step() {
                guard let name = rows.text(0), let geometry = rows.text(1) else { continue }
                switch rows.int(2) {
                case 4326, 0: tables.append(Table(name: name, geometry: geometry, reference: .degrees))
                case 3857, 900_913: tables.append(Table(name: name, geometry: geometry, reference: .mercator))
                default: unknown += 1
                }
            }
        } catch {
            throw GeoPackageFailure("\(error)")
        }
        guard !tables.isEmpty || unknown == 0 else {
            throw GeoPackageFailure("its coordinate type is not supported", needsConversion: true)
        }
        guard !tables.isEmpty else { throw GeoPackageFailure("the GeoPackage has no feature tables") }
    }

    /// Returns the next features; nil after the last.
    public mutating func next(limit: Int) throws(GeoPackageFailure) -> [OverlayFeature]? {
        do throws(StoreFailure) {
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
                    if try table.rows.step() { features += read(table) } else { current = nil }
                }
                if !features.isEmpty { return features }
            }
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
    ) -> [OverlayFeature] {
        guard let bytes = current.rows.bytes(0) else { return [] }
        bytesLeft -= bytes.count
        var reader = WKBReader(bytes, current.table.reference)
        let shapes: [OverlayFeature.Shape]
        do throws(WKBReader.Failure) { shapes = try reader.geoPackageShapes() } catch {
            faults.add("row \(row) of \(current.table.name): \(error)")
            return []
        }
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
