internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import RhumbDrawing
internal import RhumbHTTP
internal import RhumbServer
internal import RhumbStore
internal import RhumbTerminal

/// `rhumb doctor`: reports the capabilities of the terminal, and how Rhumb detected them.
struct DoctorCommand {
    private let invocation: Invocation
    private let profile: TerminalProfile

    init(_ invocation: Invocation) {
        self.invocation = invocation
        profile = .current(colors: invocation.colors, symbols: invocation.symbols)
    }

    func run() async throws -> Int32 {
        let libraries = OptionalLibrary.all.map { (key: $0.name, name: $0.name, value: $0.state) }
        let facts = self.facts + [("routing", "routing", await routing)] + libraries
        if let path = invocation[.report] {
            return try BugReport(invocation, facts: facts.map { ($0.name, $0.value) }).write(to: path)
        }
        if invocation[.json] {
            var object = JSONObject()
            for fact in facts { object[fact.key] = .string(fact.value) }
            try invocation.print(.object(object))
        } else {
            for fact in facts {
                try Output.print((fact.name + " ").padded(to: 14) + SafeText.harmless(fact.value) + "\n")
            }
        }
        if invocation[.card] {
            try Output.write(TestCard(depth: cardDepth, isUTF8: profile.isUTF8).bytes)
        }
        return ExitStatus.done
    }

    /// The colour depth of the test card. A pipe gets colours only if the user requests them.
    private var cardDepth: ColorDepth {
        isatty(STDOUT_FILENO) == 1 || invocation.colors != nil ? profile.colors : .mono
    }

    private var facts: [(key: String, name: String, value: String)] {
        [
            ("version", "rhumb", CommandTable.versionAndCommit),
            ("terminal", "terminal", profile.term.isEmpty ? "TERM is not set" : profile.term),
            ("colors", "colours", profile.colorReason),
            ("glyphs", "glyphs", profile.symbolReason),
            ("locale", "locale", profile.localeReason),
            ("size", "size", size),
            ("pixels", "pixels", pixels),
            ("world", "world", world),
            ("config", "config", config),
            ("regions", "regions", regions),
            ("streets", "streets", streets),
            ("hosts", "hosts", hosts),
        ]
    }

    /// The routing engines running on this computer.
    private var routing: String {
        get async {
            let client = HTTPClient(ClientOptions(userAgent: .rhumb(version: CommandTable.version)))
            let finder = RouteFinder(
                client, SourceCatalog(), configuration: { LayerConfiguration() }, hasAgreed: { _ in false })
            let running = await finder.running().map { "\($0.name) at \($0.address)" }
            let engines = running.isEmpty ? "no local engine" : running.joined(separator: ", ")
            return engines + "; stored maps of vector tiles for cars, bicycles and on foot"
        }
    }

    private var config: String {
        guard let (path, _) = invocation.configurationPath(Environment.all) else { return "HOME is not set" }
        guard Files.exists(path) else {
            return path + " (missing; rhumb --print-config prints an example)"
        }
        do { _ = try invocation.configuration(Environment.all) } catch { return FailureText.sentence(error) }
        return path
    }

    /// The number and size of the stored regions and packages.
    private var regions: String {
        guard let path = invocation.regionPath else { return "HOME is not set" }
        guard Files.exists(path) else { return "none" }
        do throws(RegionStoreFailure) {
            let records = try RegionStore(path).regions(), packages = records.filter { $0.package != nil }
            let unfinished = packages.count(where: \.isUnfinishedPackage)
            return
                "\(AmountText.count(records.count - packages.count, "region")), \(AmountText.count(packages.count, "package"))"
                + (unfinished > 0
                    ? " (\(AmountText.count(unfinished)) incomplete, see rhumb package list)" : "")
                + " in \(path)"
        } catch {
            return FailureText.sentence(error)
        }
    }

    private var streets: String {
        let specifier = StreetsFile(Folders(environment: Environment.all)).load().text
        return specifier.isEmpty ? "not chosen yet; press Enter on the map" : specifier
    }

    private var hosts: String {
        guard let page = try? PrivacyHosts(invocation.catalog()) else {
            return "the source list can't be read"
        }
        return
            "contacted only if you choose them; \(Set(page.contacts.map(\.host)).count) known, see rhumb help privacy"
    }

    private var size: String {
        guard let window = Output.window(STDOUT_FILENO) else { return "unknown (stdout is not a terminal)" }
        let cells = "\(window.ws_col)x\(window.ws_row) cells"
        guard window.ws_xpixel > 0, window.ws_ypixel > 0 else {
            return cells + ", of unknown shape, assumed twice as tall as wide"
        }
        return cells + " of \(window.ws_xpixel / window.ws_col)x\(window.ws_ypixel / window.ws_row) pixels"
    }

    /// The images in which the map is drawn, and the reason.
    private var pixels: String {
        let asked = invocation[.pixels].flatMap(PixelChoice.init) ?? .auto
        guard asked != .off else { return "off, requested; the map is drawn in cells" }
        guard let support = GraphicsSupport.current(profile, within: .seconds(1)) else {
            return "off: the terminal does not answer queries"
        }
        let (chosen, reason) = support.choice(asked.asked)
        let cell = support.cell.map { ", cells of \($0.width)x\($0.height) pixels" } ?? ""
        return chosen.map { "\($0.rawValue): \(reason)\(cell)" } ?? "off: \(reason)"
    }

    private var world: String {
        do throws(MapOpenFailure) {
            let zooms = try EmbeddedWorld.archive().info.zooms
            return "built in, vector tiles of zooms \(zooms.lowerBound) to \(zooms.upperBound)"
        } catch {
            return FailureText.sentence(error)
        }
    }
}

/// A test image that shows which glyphs and colours a terminal draws well.
struct TestCard {
    let depth: ColorDepth
    let isUTF8: Bool

    private static let sets: [(Symbols, String)] = [
        (.ascii, "ascii"), (.half, "half"), (.quadrant, "quadrant"),
        (.sextant, "sextant: if there are seams between rows, use quadrant instead"),
        (.octant, "octant: if there are boxes or gaps, the font lacks them"), (.braille, "braille"),
    ]

    /// The card as text with colours.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for (symbols, note) in TestCard.sets where isUTF8 || symbols == .ascii {
            bytes += Array("\n\(note)\n".utf8)
            bytes += sample(symbols)
        }
        return bytes
    }

    private func sample(_ symbols: Symbols) -> [UInt8] {
        var picture = Picture(columns: 60, rows: 6, symbols: symbols)
        let box = FixedPointRect(x0: 0, y0: 0, x1: 60 * FixedPointRect.one, y1: 6 * FixedPointRect.one)
        picture.draw(TestCard.picture, at: box)
        picture.fill(under: RGB(0))
        var grid = CellGrid(columns: 60, rows: 6)
        CellRenderer(symbols: symbols, depth: depth).render(picture, into: &grid)
        return ANSIWriter.bytes(grid)
    }

    /// An image of circles, slanted lines and colour ramps, which reveal the shapes of sub-cells.
    private static var picture: Raster {
        let width = 480, height = 96
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let colour = colour(x, y, width, height)
                pixels += [colour.red, colour.green, colour.blue, 255]
            }
        }
        return Raster(width: width, height: height, pixels: pixels)
            ?? Raster(width: 1, height: 1, filledWith: RGB(0))
    }

    private static func colour(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> RGB {
        if x < 120 {
            let dx = x - 60, dy = y - 48
            let ring = (dx * dx + dy * dy) / 300
            return ring < 7 && ring % 2 == 0 ? RGB(0xF2EEE3) : RGB(0x10202E)
        }
        if x < 240 { return (x + 2 * y) % 40 < 5 || (3 * x - y) % 70 < 5 ? RGB(0xDE8A4C) : RGB(0x232C33) }
        let along = UInt8((x - 240) * 255 / (width - 240))
        switch y * 3 / height {
        case 0: return RGB(red: along, green: along, blue: along)
        case 1: return RGB(red: along, green: 255 - along, blue: 128)
        default: return RGB(red: 40, green: along, blue: 255 - along / 2)
        }
    }
}

/// A library that is loaded for the first function that needs it.
struct OptionalLibrary {
    let name: String
    /// The Debian package of the library.
    let package: String
    let purpose: String
    let isFound: Bool

    /// The libraries that Rhumb can load, the most important ones first.
    static var all: [OptionalLibrary] {
        [
            OptionalLibrary(
                name: "libcairo", package: "libcairo2", purpose: "vector maps, images",
                isFound: VectorPainter.canDraw),
            OptionalLibrary(
                name: "libspng", package: "libspng0", purpose: "PNG tiles and images",
                isFound: SniffingDecoder.canDecodePNG),
            OptionalLibrary(
                name: "libexpat", package: "libexpat1", purpose: "GPX, KML and other XML",
                isFound: XMLParser.isAvailable),
            OptionalLibrary(
                name: "libcurl", package: "libcurl4", purpose: "web maps, downloads, online search",
                isFound: HTTPClient.isAvailable),
            OptionalLibrary(
                name: "libcrypto", package: "libssl3", purpose: "signatures, object stores",
                isFound: SHA256Sum() != nil),
            OptionalLibrary(
                name: "libbrotlidec", package: "libbrotli1", purpose: "archives compressed with Brotli",
                isFound: Compression.brotli.missingPackage == nil),
            OptionalLibrary(
                name: "libzstd", package: "libzstd1", purpose: "archives compressed with Zstandard",
                isFound: Compression.zstd.missingPackage == nil),
            OptionalLibrary(
                name: "libmicrohttpd", package: "libmicrohttpd12", purpose: "the map server",
                isFound: HTTPServer.isAvailable),
        ]
    }

    /// The state of the library and its purpose.
    var state: String {
        isFound ? "found, for \(purpose)" : "missing, for \(purpose); install \(package)"
    }
}
