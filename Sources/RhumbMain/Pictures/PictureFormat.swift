internal import Rhumb
internal import RhumbBrowser

/// The format of an image of the map.
enum PictureFormat: String, CaseIterable {
    /// Pixels, 8 × 16 per cell.
    case png, jpg, webp
    /// Cells as shapes, as terminal output, and as plain glyphs.
    case svg, ansi, text
    /// Pixels for a terminal.
    case kitty, sixel, iterm

    /// The file extension, including the full stop; empty for output that only terminals read.
    var ending: String {
        switch self {
        case .kitty, .sixel, .iterm: ""
        case .png, .jpg, .webp, .svg: "." + rawValue
        case .ansi: ".ans"
        case .text: ".txt"
        }
    }

    /// True for formats that consist of pixels.
    var hasPixels: Bool {
        switch self {
        case .png, .jpg, .webp, .kitty, .sixel, .iterm: true
        case .svg, .ansi, .text: false
        }
    }

    /// True for files of pixels, whose size may be given in pixels.
    var isImageFile: Bool { hasPixels && !ending.isEmpty }

    /// True if the format has all colours, regardless of the terminal.
    var hasAllColours: Bool { hasPixels || self == .svg }

    /// Detects the format by a file's extension.
    /// - Throws: A sentence that lists the known extensions.
    init(file path: String) throws(Notice.Problem) {
        let name = path.lowercased().replacing(".jpeg", with: ".jpg")
        let formats = PictureFormat.allCases.filter { !$0.ending.isEmpty }
        guard let format = formats.first(where: { name.hasSuffix($0.ending) }) else {
            let endings = formats.map(\.ending).joined(separator: ", ")
            throw Notice.Problem("\(SafeText.sanitised(path)): unknown image format; use \(endings)")
        }
        self = format
    }

    /// Encodes a raster; nil for formats that consist of cells.
    func bytes(_ raster: Raster) throws(ImageFailure) -> [UInt8]? {
        switch self {
        case .png: try PNGEncoder.encode(raster)
        case .jpg: try JPEGEncoder.encode(raster)
        case .webp: try WebPEncoder.encode(raster)
        case .kitty: KittyGraphics.show(png: try PNGEncoder.encode(IndexedImage(raster))) + [0x0A]
        case .sixel: SixelWriter.bytes(IndexedImage(raster)) + [0x0A]
        case .iterm:
            InlineImage.bytes(
                try PNGEncoder.encode(IndexedImage(raster)), width: raster.width, height: raster.height)
                + [0x0A]
        case .svg, .ansi, .text: nil
        }
    }

    /// Encodes a grid of cells; nil for formats that consist of pixels.
    /// - Parameter theme: The theme whose background and text colours replace the terminal's.
    func bytes(_ grid: CellGrid, _ theme: Settings.Theme) -> [UInt8]? {
        switch self {
        case .png, .jpg, .webp, .kitty, .sixel, .iterm: nil
        case .svg:
            Array(SVGWriter.text(grid, ink: theme.page.ink, paper: theme.page.paper).utf8)
        case .ansi: ANSIWriter.bytes(grid)
        case .text: Array((grid.lines.joined(separator: "\n") + "\n").utf8)
        }
    }
}
