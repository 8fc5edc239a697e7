internal import Rhumb
internal import RhumbBrowser

/// The format of an image of the map.
enum PictureFormat: String, CaseIterable {
    /// Pixels, 8 × 16 for each cell.
    case png, webp
    /// Cells as shapes, as bytes for a terminal, and as bare glyphs.
    case svg, ansi, text

    /// The ending of its files.
    var ending: String {
        switch self {
        case .png, .webp, .svg: "." + rawValue
        case .ansi: ".ans"
        case .text: ".txt"
        }
    }

    /// True for formats made of pixels.
    var hasPixels: Bool { self == .png || self == .webp }

    /// True if pictures of the format have all colours, whatever the terminal has.
    var hasAllColours: Bool { hasPixels || self == .svg }

    /// By the ending of a file's name.
    /// - Throws: a sentence with the endings there are.
    init(file path: String) throws(Notice.Problem) {
        let name = path.lowercased()
        guard let format = PictureFormat.allCases.first(where: { name.hasSuffix($0.ending) }) else {
            let endings = PictureFormat.allCases.map(\.ending).joined(separator: ", ")
            throw Notice.Problem("\(SafeText.sanitised(path)): unknown image format; use \(endings)")
        }
        self = format
    }

    /// A picture of pixels as a file; nil for the formats of cells.
    func bytes(_ raster: Raster) throws(ImageFailure) -> [UInt8]? {
        switch self {
        case .png: try PNGEncoder.encode(raster)
        case .webp: try WebPEncoder.encode(raster)
        case .svg, .ansi, .text: nil
        }
    }

    /// A picture of cells as a file; nil for the formats of pixels.
    /// - Parameter theme: whose ground and letters stand for the terminal's own.
    func bytes(_ grid: CellGrid, _ theme: Settings.Theme) -> [UInt8]? {
        switch self {
        case .png, .webp: nil
        case .svg:
            Array(SVGWriter.text(grid, ink: theme.page.ink, paper: theme.page.paper).utf8)
        case .ansi: ANSIWriter.bytes(grid)
        case .text: Array((grid.lines.joined(separator: "\n") + "\n").utf8)
        }
    }
}
