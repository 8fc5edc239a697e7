import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbTerminal

struct GraphicsSupportTests {
    private static func support(
        _ name: String?, kitty: Bool = false, sixel: Bool = false, multiplexer: String? = nil
    ) -> GraphicsSupport {
        var support = GraphicsSupport()
        support.name = name
        support.acceptsKitty = kitty
        support.hasSixel = sixel
        support.isComplete = true
        support.cell = PixelSize(width: 8, height: 16)
        support.multiplexer = multiplexer
        return support
    }

    @Test(
        arguments: [
            ("kitty(0.26.5)", true, false, PixelProtocol.kitty), ("kitty(0.19.3)", true, false, nil),
            ("kitty(0.40.0)", false, false, nil), ("ghostty 1.3.0", true, false, .kitty),
            ("libghostty", true, false, .kitty), ("rio 0.2", true, true, .kitty),
            ("WezTerm 20240203", true, true, .iterm), ("iTerm2 3.5.0", true, true, .iterm),
            ("XTerm(379)", false, true, .sixel), ("XTerm(379)", false, false, nil),
            ("Konsole 23.08.1", true, true, .sixel), ("Konsole 21.12.3", false, true, nil),
            ("foot(1.16.2)", false, true, .sixel), ("VTE(7600)", false, true, nil),
            ("xterm.js(5.6.0)", true, true, nil), ("footling 1", true, true, nil), (nil, true, true, nil),
        ] as [(String?, Bool, Bool, PixelProtocol?)])
    func `the terminal's name decides, and then its answers`(
        name: String?, kitty: Bool, sixel: Bool, expected: PixelProtocol?
    ) {
        #expect(Self.support(name, kitty: kitty, sixel: sixel).choice(nil).protocol == expected)
    }

    @Test func `a requested protocol is used whatever the terminal reports`() {
        #expect(Self.support(nil).choice(.sixel).protocol == .sixel)
        var inTmux = Self.support(nil, multiplexer: "tmux")
        inTmux.tmux = Tmux(answer: "on VTE(7600)")
        #expect(inTmux.choice(.kitty).protocol == .kitty && inTmux.choice(nil).protocol == nil)
    }

    @Test(
        arguments: [
            ("on kitty(0.35.2)", true, false), ("1 ghostty 1.2.0", true, false),
            ("0 ghostty 1.2.0", false, true), ("all ghostty 1.2.0", true, false),
            ("on kitty(0.26.5)", false, false), ("on kitty(0.29.0)", false, false),
            ("on XTerm(379)", false, false), ("on ", false, false), ("off kitty(0.35.2)", false, true),
            (" kitty(0.35.2)", false, false),
        ])
    func `in tmux the outer terminal decides, and the setting that is missing is named`(
        answer: String, hasImages: Bool, isSettingMissing: Bool
    ) {
        var support = Self.support("tmux 3.3a", multiplexer: "tmux")
        support.tmux = Tmux(answer: answer)
        let (chosen, reason) = support.choice(nil)
        #expect((chosen == .kitty) == hasImages)
        #expect(reason.contains("set -g allow-passthrough on") == isSettingMissing)
    }

    @Test func `in a popup of tmux the map has cells, and tmux's own sixel graphics are preferred`() {
        #expect(Self.support("tmux 3.3a", multiplexer: "tmux").choice(nil).protocol == nil)
        #expect(
            Self.support("tmux 3.4", sixel: true, multiplexer: "tmux").choice(nil).protocol == .sixel)
    }

    @Test func `without the size of a cell, and in a multiplexer without images, the map has cells`() {
        var support = Self.support("kitty(0.35.0)", kitty: true)
        support.cell = nil
        #expect(support.choice(nil).protocol == nil && support.choice(.kitty).protocol == nil)
        #expect(
            Self.support("kitty(0.35.0)", kitty: true, multiplexer: "screen").choice(nil).protocol == nil)
    }
}

struct SixelTests {
    /// Decodes sixel graphics into an image's pixels as 0xRRGGBB, with channels in percent.
    private static func decoded(_ bytes: [UInt8]) -> [[Int?]] {
        let text = String(decoding: bytes.dropFirst(2), as: UTF8.self)
        let body = text.drop { $0 != "q" }.dropFirst()
        var pixels: [[Int?]] = []
        var colours: [Int: Int] = [:]
        var numbers: [Int] = []
        var command: Character?
        var colour = 0
        var row = 0
        var column = 0
        func finish() {
            switch command {
            case "\"":
                pixels = Array(repeating: Array(repeating: nil, count: numbers[2]), count: numbers[3])
            case "#":
                colour = numbers[0]
                if numbers.count > 1 {
                    colours[colour] = numbers[2] << 16 | numbers[3] << 8 | numbers[4]
                }
            default: break
            }
        }
        func draw(_ mask: Int, _ count: Int) {
            for _ in 0..<count {
                for bit in 0..<6 where mask >> bit & 1 == 1 { pixels[row + bit][column] = colours[colour] }
                column += 1
            }
        }
        for character in body {
            switch character {
            case "0"..."9":
                numbers[numbers.count - 1] =
                    numbers[numbers.count - 1] * 10 + (character.wholeNumberValue ?? 0)
            case ";": numbers.append(0)
            case "\"", "#", "!", "$", "-", "\u{1B}":
                finish()
                command = character
                numbers = [0]
                if character == "$" || character == "-" { column = 0 }
                if character == "-" { row += 6 }
                if character == "\u{1B}" { return pixels }
            default:
                let count = command == "!" ? numbers[0] : 1
                if command != "!" { finish() }
                command = nil
                draw(Int(character.asciiValue ?? 63) - 63, count)
            }
        }
        return pixels
    }

    @Test(arguments: [(1, 1), (7, 6), (40, 13), (300, 17)])
    func `sixel graphics decode to the image's pixels`(width: Int, height: Int) throws {
        let palette = [RGB(0), RGB(0xFFFFFF), RGB(0xFF0000), RGB(0x00FF00)]
        let pixels = (0..<width * height).map { UInt8($0 / 5 * 7 % 4) }
        let image = try #require(
            IndexedImage(width: width, height: height, palette: palette, pixels: pixels))
        let shown = Self.decoded(SixelWriter.bytes(image))
        let percent = [0, 100 << 16 | 100 << 8 | 100, 100 << 16, 100 << 8]
        #expect(shown.count == height)
        for (row, line) in shown.enumerated() {
            #expect(line == (0..<width).map { percent[Int(pixels[row * width + $0])] })
        }
    }
}

struct InlineImagesTests {
    /// A map of 4 × 6 cells of 8 × 8 pixels.
    private static func frame(_ content: UInt64) throws -> PixelFrame {
        let image = try #require(
            IndexedImage(
                width: 32, height: 48, palette: [RGB(0x112233)],
                pixels: Array(repeating: 0, count: 32 * 48)))
        let tile = PixelFrame.Tile(
            content: content, image: image, placement: .init(row: 0, column: 0), cells: (4, 6))
        return PixelFrame(
            tiles: [tile], cells: CellBox(columns: 0..<4, rows: 0..<6), cell: PixelSize(width: 8, height: 8))
    }

    @Test func `changed text draws only its rows again, and a status line draws none`() throws {
        var images = InlineImages { _ in [] }
        let map = try Self.frame(1)
        #expect(images.rowsToDraw(map, textChanged: []) == 0..<6)
        var starts: [Int] = []
        _ = images.frame(map, rows: 0..<6, as: .sixel) { row, _ in
            starts.append(row)
            return []
        }
        #expect(images.rowsToDraw(map, textChanged: []).isEmpty)
        #expect(images.rowsToDraw(map, textChanged: [7]).isEmpty)
        #expect(images.rowsToDraw(map, textChanged: [2, 4, 7]) == 2..<5)
        #expect(images.rowsToDraw(try Self.frame(2), textChanged: [2]) == 0..<6)
        _ = images.frame(map, rows: 2..<5, as: .sixel) { row, _ in
            starts.append(row)
            return []
        }
        #expect(starts == [0, 2])
        images.forget()
        #expect(images.rowsToDraw(map, textChanged: [2]) == 0..<6)
    }
}

struct KittyImagesTests {
    private static func tile(_ content: UInt64, row: Int = 0, column: Int = 0) -> PixelFrame.Tile {
        var placement = KittyGraphics.Placement(row: row, column: column)
        placement.left = 3
        let pixels = (0..<64).map { UInt8(($0 + Int(content)) % 2) }
        guard
            let image = IndexedImage(
                width: 8, height: 8, palette: [RGB(0x112233), RGB(0xFFEEDD)], pixels: pixels)
        else { fatalError("a valid image") }
        return PixelFrame.Tile(content: content, image: image, placement: placement, cells: (2, 1))
    }

    /// A terminal, and the images that it should have.
    private struct Terminal {
        var images = KittyImages { image in image.pixels }
        var screen = ScreenModel(columns: 80, rows: 24)

        init() { screen.images = ImageModel() }

        mutating func show(_ tiles: [PixelFrame.Tile]) -> Int {
            let (storing, showing) = images.frame(tiles, over: CellGrid(columns: 80, rows: 24)) {
                Array("\u{1B}[\($0 + 1);\($1 + 1)H".utf8)
            }
            screen.feed(storing + showing)
            #expect(screen.images?.faults == [] && screen.unknown.isEmpty)
            #expect(screen.images?.placements.count == tiles.count)
            return storing.count
        }
    }

    @Test func `images are stored once, moved by placing them again, and hidden outside the view`() {
        var terminal = Terminal()
        #expect(terminal.show([Self.tile(1), Self.tile(2, column: 8)]) > 0)
        #expect(terminal.screen.images?.stored.values.contains(Self.tile(2).image.pixels) == true)
        #expect(terminal.show([Self.tile(1, row: 2), Self.tile(2, row: 2, column: 8)]) == 0)
        #expect(terminal.screen.images?.placements.values.map(\.row) == [2, 2])
        #expect(terminal.show([Self.tile(2, column: 4)]) == 0)
        #expect(terminal.show([Self.tile(1), Self.tile(2)]) == 0)
        let keys = terminal.screen.images?.placements.first?.value.keys
        #expect(keys?["x"] == 3 && keys?["C"] == 1 && keys?["z"] == KittyGraphics.depth)
    }

    @Test func `the movement of the map is that of an image in two frames`() {
        var terminal = Terminal()
        _ = terminal.show([Self.tile(1, row: 5, column: 9), Self.tile(2, row: 5)])
        let new = [Self.tile(3), Self.tile(2, row: 2, column: 4)]
        #expect(terminal.images.shift(to: new) == ScreenShift(rows: 3, columns: -4))
        #expect(terminal.images.shift(to: [Self.tile(2, row: 5)]) == nil)
        #expect(terminal.images.shift(to: [Self.tile(3)]) == nil)
    }

    @Test func `an image that the terminal lost is stored again`() {
        var terminal = Terminal()
        _ = terminal.show([Self.tile(1)])
        let id = UInt32(terminal.screen.images?.stored.keys.first ?? 0)
        terminal.screen.feed(KittyGraphics.delete(id))
        terminal.images.lose(id: id)
        #expect(terminal.show([Self.tile(1)]) > 0)
    }

    @Test func `at the end every image is deleted`() {
        var terminal = Terminal()
        _ = terminal.show([Self.tile(1), Self.tile(2)])
        _ = terminal.show([Self.tile(2)])
        terminal.screen.feed(terminal.images.deleteAll())
        #expect(terminal.screen.images?.stored.isEmpty == true)
        #expect(terminal.screen.images?.placements.isEmpty == true)
    }

    @Test func `the ids stay within Rhumb's own however many images there are`() {
        var terminal = Terminal()
        for content in 0..<3000 { _ = terminal.show([Self.tile(UInt64(content))]) }
        let ids = terminal.screen.images?.stored.keys.map(UInt32.init) ?? []
        #expect(!ids.isEmpty && ids.allSatisfy(KittyGraphics.ids.contains))
    }
}

struct PlaceholderTests {
    private static func tile(_ content: UInt64, column: Int, cropped: Int = 0) -> PixelFrame.Tile {
        var placement = KittyGraphics.Placement(row: 1, column: column)
        placement.left = cropped * 4
        placement.width = cropped > 0 ? 24 - cropped * 4 : 0
        guard
            let image = IndexedImage(
                width: 24, height: 16, palette: [RGB(0x112233)], pixels: Array(repeating: 0, count: 24 * 16)
            )
        else { fatalError("a valid image") }
        return PixelFrame.Tile(content: content, image: image, placement: placement, cells: (6, 2))
    }

    private static func frame(
        _ images: inout KittyImages, _ tiles: [PixelFrame.Tile], _ grid: CellGrid, erased: Set<Int> = []
    ) -> (storing: [UInt8], showing: String) {
        let (storing, showing) = images.frame(tiles, over: grid, erased: erased) {
            Array("\u{1B}[\($0 + 1);\($1 + 1)H".utf8)
        }
        return (storing, String(decoding: showing, as: UTF8.self))
    }

    @Test func `in tmux text shows the images, and every command passes through tmux`() {
        var images = KittyImages { $0.pixels }
        images.usesPlaceholders = true
        let grid = CellGrid(columns: 20, rows: 4)
        let (storing, showing) = Self.frame(&images, [Self.tile(1, column: 3)], grid)
        let commands = String(decoding: storing, as: UTF8.self).components("\u{1B}Ptmux;")
        #expect(commands.count >= 2)
        #expect(
            commands.allSatisfy {
                $0.hasPrefix("\u{1B}\u{1B}_G") && $0.hasSuffix("\u{1B}\u{1B}\\\u{1B}\\")
            })
        #expect(commands.last?.contains("U=1") == true && commands.last?.contains("c=6,r=2") == true)
        #expect(showing.unicodeScalars.count { $0 == "\u{10EEEE}" } == 12)
        #expect(
            showing.contains("\u{1B}[2;4H\u{1B}[0;38;5;16m\u{10EEEE}\u{305}\u{305}\u{363}\u{10EEEE}"))
        #expect(
            showing.contains("\u{1B}[3;4H\u{1B}[0;38;5;16m\u{10EEEE}\u{30D}\u{305}\u{363}\u{10EEEE}"))
    }

    @Test
    func `unchanged placeholders are not written again, and a cropped image begins with its part`() {
        var images = KittyImages { $0.pixels }
        images.usesPlaceholders = true
        let grid = CellGrid(columns: 20, rows: 4)
        _ = Self.frame(&images, [Self.tile(1, column: 3)], grid)
        let same = Self.frame(&images, [Self.tile(1, column: 3)], grid)
        #expect(same.storing.isEmpty && same.showing.isEmpty)
        #expect(
            Self.frame(&images, [Self.tile(1, column: 3)], grid, erased: [2]).showing.hasPrefix(
                "\u{1B}[3;4H")
        )
        let cropped = Self.frame(&images, [Self.tile(1, column: 0, cropped: 2)], grid)
        #expect(cropped.storing.isEmpty)
        #expect(cropped.showing.contains("\u{10EEEE}\u{305}\u{30E}\u{363}"))
    }

    @Test func `placeholders leave out text, and are erased when the map has cells again`() {
        var images = KittyImages { $0.pixels }
        images.usesPlaceholders = true
        var grid = CellGrid(columns: 20, rows: 4)
        grid[1, 5] = Cell("x")
        let shown = Self.frame(&images, [Self.tile(1, column: 3)], grid).showing
        #expect(shown.unicodeScalars.count { $0 == "\u{10EEEE}" } == 11)
        #expect(shown.contains("\u{1B}[2;7H"))
        let gone = Self.frame(&images, [], grid).showing
        #expect(!gone.contains("\u{10EEEE}") && gone.contains("\u{1B}[2;4H\u{1B}[0m "))
        #expect(!gone.contains("\u{1B}[2;6H"))
    }
}

extension String {
    /// Returns the non-empty parts between separators.
    fileprivate func components(_ separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return (parts + [String(rest)]).filter { !$0.isEmpty }
    }
}
