internal import Glibc
internal import RhumbCore

/// A run of GDAL's program that writes the features of a file as GeoJSON. It reads only the format that the
/// file's name indicates, uses no network, and doesn't receive the environment of this process.
struct GDALConversion {
    let arguments: [String]
    let environment: [String: String]

    /// GDAL's drivers by file extension.
    static let drivers = [
        ".shp": "ESRI Shapefile", ".fgb": "FlatGeobuf", ".gml": "GML", ".tab": "MapInfo File",
        ".mif": "MapInfo File",
        ".gdb": "OpenFileGDB", ".dxf": "DXF", ".osm": "OSM", ".osm.pbf": "OSM", ".gpkg": "GPKG",
    ]
    private static let output = "GeoJSONSeq"

    /// The arguments that list all drivers. Old versions of the program have no option to select the allowed
    /// drivers, so all others are disabled by name.
    static let listing = ["ogr2ogr", "-" + "-formats"]

    /// - Parameters:
    ///   - path: A file or folder. Without a known extension, it is assumed to be a GeoPackage.
    ///   - formats: The list of all drivers.
    ///   - environment: See `environment(_:)`.
    ///   - assumesDegrees: True if a file without a coordinate system has longitudes and latitudes.
    init(_ path: String, formats: String, environment: [String: String], assumesDegrees: Bool = false) {
        let driver = GDALConversion.drivers.first { path.lowercased().hasSuffix($0.key) }?.value ?? "GPKG"
        // A line such as "  FlatGeobuf -vector- (rw+v): FlatGeobuf".
        let others = formats.split(separator: "\n").filter { $0.hasPrefix("  ") }.map { line in
            String(line[..<(line.firstRange(of: " -")?.lowerBound ?? line.endIndex)].drop { $0 == " " })
        }
        // A relative name could be mistaken for an option.
        let file = path.hasPrefix("/") ? path : "./" + path
        arguments =
            ["ogr2ogr", "-f", GDALConversion.output] + (assumesDegrees ? ["-s_srs", "EPSG:4326"] : [])
            // GeoJSON has no triangulations and no polyhedral surfaces. Points and lines stay as they are.
            + ["-t_srs", "EPSG:4326", "-nlt", "MULTIPOLYGON", "/vsistdout/", file]
        self.environment = environment.merging(
            [
                // The program's own index of OpenStreetMap files takes only positive ids in ascending order,
                // and leaves out the nodes and lines that editors have added.
                "OSM_USE_CUSTOM_INDEXING": "NO",
                "SHAPE_RESTORE_SHX": ShapefileFolder.isNeeded(for: path) ? "YES" : "NO",
                "GDAL_SKIP": others.filter { $0 != driver && $0 != GDALConversion.output }.joined(
                    separator: ","),
            ]) { $1 }
    }

    /// Returns a sentence for the error output of the program, which lists its drivers for a file that none
    /// of them opens.
    /// - Parameter path: The name of the file as the user wrote it.
    static func sentence(for output: String, about path: String) -> String {
        guard output.contains("Unable to open datasource") else { return "\(path): \(output)" }
        let format = drivers.filter { path.lowercased().hasSuffix($0.key) }.map(\.value).first ?? "known"
        return "can't open \(path): it is no \(format) file, or it is damaged; check it with ogrinfo"
    }

    /// True if the program's error output says that a file has no coordinate system.
    static func lacksReference(_ output: String?) -> Bool { output?.contains("coordinate system") == true }

    /// Returns the few variables that the program needs, and those that keep it off the network: they prevent
    /// it from opening addresses as files, and allow no server except a port on which nothing listens.
    static func environment(_ variable: (String) -> String?) -> [String: String] {
        let names = [
            "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "TMPDIR", "GDAL_DATA", "PROJ_DATA",
            "PROJ_LIB",
        ]
        let found = names.compactMap { name in variable(name).map { (name, $0) } }
        return [
            "CPL_VSIL_CURL_ALLOWED_FILENAME": "none", "CPL_VSIL_CURL_ALLOWED_EXTENSIONS": "none",
            "GDAL_HTTP_PROXY": "127.0.0.1:9", "GDAL_HTTPS_PROXY": "127.0.0.1:9", "PROJ_NETWORK": "OFF",
        ].merging(found) { $1 }
    }
}

/// A temporary folder with links to the parts of a shapefile that lacks its index, which GDAL's program
/// restores there.
final class ShapefileFolder {
    private let folder: String
    /// The shapefile in the folder.
    let path: String

    /// Returns true for a shapefile without an index.
    static func isNeeded(for path: String) -> Bool {
        path.lowercased().hasSuffix(".shp")
            && !["shx", "SHX"].contains { Files.exists(path.dropLast(3) + $0) }
    }

    /// Returns nil if the folder can't be created.
    init?(_ path: String) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/rhumb-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template), let whole = realpath(path, nil) else { return nil }
        defer { free(whole) }
        folder = String(cString: made)
        self.path = folder + "/layer.shp"
        _ = symlink(whole, self.path)
        let name = String(cString: whole).dropLast(3)
        for ending in ["dbf", "prj", "cpg"] where Files.exists(name + ending) {
            _ = symlink(name + ending, folder + "/layer." + ending)
        }
    }

    deinit {
        for ending in ["shp", "shx", "dbf", "prj", "cpg"] { unlink(folder + "/layer." + ending) }
        rmdir(folder)
    }
}
