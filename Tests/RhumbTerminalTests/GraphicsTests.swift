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
        #expect(Self.support(nil, multiplexer: "tmux").choice(.kitty).protocol == .kitty)
    }

    @Test func `without the size of a cell, and in a multiplexer without images, the map has cells`() {
        var support = Self.support("kitty(0.35.0)", kitty: true)
        support.cell = nil
        #expect(support.choice(nil).protocol == nil && support.choice(.kitty).protocol == nil)
        #expect(Self.support("kitty(0.35.0)", kitty: true, multiplexer: "screen").choice(nil).protocol == nil)
    }
}

struct SixelTests {
    /// Decodes sixel graphics into an image's pixels as 0xRRGGBB, with channels in percent.
    private static func decoded(_ bytes: [UInt8]) -> [[Int?]] {
        let text = String(decoding: bytes.dropFirst(2), as: UTF8.self)
        let body = text.drop { $0 != "q" }.dropFirst()
        var pixels: [[Int?]] = [], colours: [Int: Int] = [:]
        var numbers: [Int] = [], command: Character?, colour = 0, row = 0, column = 0
        func finish() {
            switch command {
            case "\"": pixels = Array(repeating: Array(repeating: nil, count: numbers[2]), count: numbers[3])
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

struct KittyImagesTests {
    private static func tile(_ content: UInt64, row: Int = 0, column: Int = 0) -> PixelFrame.Tile {
        var placement = KittyGraphics.Placement(row: row, column: column)
        placement.left = 3
        let pixels = (0..<64).map { UInt8(($0 + Int(content)) % 2) }
        guard
            let image = IndexedImage(
                width: 8, height: 8, palette: [RGB(0x112233), RGB(0xFFEEDD)], pixels: pixels)
        else { fatalError("a valid image") }
        return PixelFrame.Tile(content: content, image: image, placement: placement)
    }

    /// A terminal, and the images that it should have.
    private struct Terminal {
        var images = KittyImages { image in image.pixels }
        var screen = ScreenModel(columns: 80, rows: 24)

        init() { screen.images = ImageModel() }

        mutating func show(_ tiles: [PixelFrame.Tile]) -> Int {
            let (storing, showing) = images.frame(tiles) { Array("\u{1B}[\($0 + 1);\($1 + 1)H".utf8) }
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
