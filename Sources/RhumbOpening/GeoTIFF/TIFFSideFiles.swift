internal import Glibc
internal import RhumbCore
internal import RhumbStore

/// The files that GDAL writes beside a GeoTIFF: masks (`.msk`), overviews (`.ovr`) and statements about its
/// bands (`.aux.xml`).
struct TIFFSideFiles: Sendable {
    private(set) var masks: TIFFFile?
    private(set) var overviews: TIFFFile?
    /// The texts about each band, by the roles that `TIFFBandMetadata` has, and "nodata".
    private(set) var statements: [Int: [String: String]] = [:]
    /// The open files by their bases.
    private(set) var bytes: [UInt64: FileBytes] = [:]

    /// The maximum size of the statements in bytes.
    private static let statementLimit = 16 << 20

    /// Creates the sides of a file without any.
    init() {}

    /// Opens the files beside a GeoTIFF, as far as they exist.
    init(beside path: String) throws(ArchiveFailure) {
        masks = try open(path + ".msk", base: TIFFFile.baseStep)
        overviews = try open(path + ".ovr", base: TIFFFile.baseStep * 2)
        let path = path + ".aux.xml"
        guard access(path, F_OK) == 0 else { return }
        let file = try FileBytes(path)
        guard file.size <= TIFFSideFiles.statementLimit,
            let text = try? file.read(offset: 0, count: Int(file.size))
        else {
            throw ArchiveFailure(path, .cannotOpen, "it can't be read, or is too large", "check the file")
        }
        var reader = TIFFStatementReader()
        do throws(XMLFailure) {
            let parser = XMLParser()
            try text.withUnsafeBufferPointer { (text) throws(XMLFailure) in try parser.read(text, &reader) }
            try parser.finish(&reader)
        } catch {
            throw ArchiveFailure(
                path, .damaged, "line \(error.line): \(error.problem)",
                "remove it, or make it again with GDAL")
        }
        statements = reader.bands
    }

    private mutating func open(_ path: String, base: UInt64) throws(ArchiveFailure) -> TIFFFile? {
        guard access(path, F_OK) == 0 else { return nil }
        let file = try FileBytes(path)
        bytes[base] = file
        return try converting(TIFFFile(LocalTIFFBytes(file: file), base: base)) { (error: TIFFProblem) in
            ArchiveFailure(error, path)
        }
    }
}

/// Reads the statements about bands in a file of GDAL's persistent auxiliary metadata.
private struct TIFFStatementReader: XMLHandler {
    var line = 0
    private(set) var bands: [Int: [String: String]] = [:]
    private var band: Int?

    private static let parent = XMLName("PAMRasterBand")
    private static let roles: [XMLName: String] = [
        XMLName("NoDataValue"): "nodata", XMLName("Scale"): "scale", XMLName("Offset"): "offset",
        XMLName("UnitType"): "unittype", XMLName("ColorInterp"): "colorinterp",
    ]

    mutating func begin(_ name: XMLName, _ attributes: XMLAttributes, _ path: [XMLName]) {
        guard name == Self.parent else { return }
        band = attributes[XMLName("band")].flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    }

    mutating func end(_ name: XMLName, text: UnsafeBufferPointer<UInt8>, _ path: [XMLName]) {
        guard let role = Self.roles[name], path.dropLast().last == Self.parent, let band, band > 0 else {
            return
        }
        bands[band - 1, default: [:]][role] = String(decoding: text.prefix(200), as: UTF8.self).trimmed
    }
}
