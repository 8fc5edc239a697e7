internal import Glibc
internal import RhumbCore
internal import RhumbEngine

/// The kind of a file, judged by its first bytes.
enum FileKind: Equatable {
    case folder
    case sqlite
    case pmTiles
    case versatiles
    /// A kind that must be converted first, with its article, and the advice how.
    case convertible(String, advice: String)
    /// Another kind, with its article: "a zip file".
    case other(String)

    static func of(_ path: String) throws(ArchiveFailure) -> FileKind {
        guard let facts = FileFacts(path) else { throw .cannotOpen(path, errno: errno) }
        if facts.isFolder { return .folder }
        let file = try FileBytes(path)
        let start = try converting(file.read(offset: 0, count: Int(min(file.size, 1024)))) {
            (error: TileFailure) in
            ArchiveFailure(path, .cannotOpen, error.message, "check the file and its disk")
        }
        return of(start)
    }

    static func of(_ bytes: [UInt8]) -> FileKind {
        if bytes.isEmpty { return .other("an empty file (0 bytes)") }
        switch FileSignature(bytes) {
        case .sqlite: return sqlite(bytes)
        case .pmTiles(let version) where version > 2: return .pmTiles
        case .versatiles(version: "02"): return .versatiles
        case let known?:
            guard let advice = advice(for: known) else { return .other(name(known)) }
            return .convertible(name(known), advice: advice)
        case nil: break
        }
        if let raster = rasterName(bytes) {
            return .convertible(raster, advice: "convert it with \(gdal) IN OUT")
        }
        return .other(textKind(bytes) ?? "a file of unknown kind")
    }

    private static let gdal = "gdal_translate -of COG"

    /// Returns the name of a raster format that GDAL reads; nil for another one.
    private static func rasterName(_ bytes: [UInt8]) -> String? {
        let text = bytes.drop { $0 <= 0x20 }
        return rasterMarks.first { bytes.starts(with: $0.mark) || text.starts(with: $0.mark) }?.name
    }

    private static let rasterMarks: [(mark: [UInt8], name: String)] = [
        ([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20], "a JPEG 2000 image"),
        ([0xFF, 0x4F, 0xFF, 0x51], "a JPEG 2000 image"),
        ([0x89, 0x48, 0x44, 0x46], "an HDF5 or netCDF file"), (Array("CDF\u{1}".utf8), "a netCDF file"),
        (Array("CDF\u{2}".utf8), "a netCDF file"), (Array("CDF\u{5}".utf8), "a netCDF file"),
        (Array("EHFA_HEADER_TAG".utf8), "an Erdas Imagine image"), (Array("GRIB".utf8), "a GRIB file"),
        (Array("NITF".utf8), "a NITF image"), (Array("msid".utf8), "a MrSID image"),
        (Array("<VRTDataset".utf8), "a virtual raster of GDAL"), (Array("<MRF_META".utf8), "an MRF image"),
        (Array("ncols".utf8), "an ASCII grid"), (Array("NCOLS".utf8), "an ASCII grid"),
    ]

    private static func sqlite(_ bytes: [UInt8]) -> FileKind {
        guard bytes.count >= 100 else { return .other("a truncated SQLite database (\(bytes.count) bytes)") }
        return .sqlite
    }

    private static func advice(for signature: FileSignature) -> String? {
        switch signature {
        case .tiff, .bigTIFF: "convert it to a PMTiles or MBTiles archive"
        case .png, .jpeg, .gif, .webp, .bmp, .jpegXL:
            "place it on the map with \(gdal) -a_srs EPSG:CODE -a_ullr WEST NORTH EAST SOUTH IN OUT, "
                + "or without -a_ullr if there is a world file"
        case .pmTiles: "convert it with pmtiles convert IN OUT"
        case .versatiles: "convert it with versatiles convert IN OUT"
        default: nil
        }
    }

    private static func name(_ signature: FileSignature) -> String {
        switch signature {
        case .pmTiles(let version):
            "a PMTiles archive of version \(version)"
        case .versatiles(let version):
            "a VersaTiles container of version \(SafeText.sanitised(version))"
        case .sqlite: "a SQLite database"
        case .png: "a PNG image"
        case .jpeg: "a JPEG image"
        case .gif: "a GIF image"
        case .webp: "a WebP image"
        case .avif: "an AVIF image"
        case .heic: "a HEIC image"
        case .bmp: "a BMP image"
        case .tiff: "a TIFF or GeoTIFF image"
        case .bigTIFF: "a BigTIFF image"
        case .jpegXL: "a JPEG XL image"
        case .gzip: "a gzip file"
        case .zip: "a zip file"
        case .zstandard: "a Zstandard file"
        case .bzip2: "a bzip2 file"
        case .xz: "an xz file"
        case .sevenZip: "a 7-Zip file"
        case .pdf: "a PDF document"
        case .elf: "a program"
        }
    }

    private static func textKind(_ bytes: [UInt8]) -> String? {
        guard !bytes.contains(where: { $0 < 9 }) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).lowercased().drop { $0.isWhitespace }
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") {
            return "an HTML page (perhaps a saved error page)"
        }
        if text.hasPrefix("<?xml") || text.hasPrefix("<") { return "an XML document" }
        if text.hasPrefix("{") || text.hasPrefix("[") { return "a JSON document" }
        if text.hasPrefix("version https://git-lfs") { return "a Git LFS pointer (run \"git lfs pull\")" }
        return bytes.contains(where: { $0 > 126 }) ? nil : "a text"
    }
}
