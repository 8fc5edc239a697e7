import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbTerminal

struct KeyDecoderTests {
    static let table: [(String, [TerminalReport])] = [
        ("a", [.key(.character("a"))]),
        ("H?", [.key(.character("H")), .key(.character("?"))]),
        ("é", [.key(.character("é"))]),
        ("東", [.key(.character("東"))]),
        ("🗺", [.key(.character("🗺"))]),
        ("\r", [.key(.enter)]),
        ("\t", [.key(.tab)]),
        ("\u{7F}", [.key(.backspace)]),
        ("\u{08}", [.key(.backspace)]),
        ("\u{0C}", [.key(.control("l"))]),
        ("\u{1A}", [.key(.control("z"))]),
        ("\u{1B}[A", [.key(.arrow(.up, shift: false))]),
        ("\u{1B}OB", [.key(.arrow(.down, shift: false))]),
        ("\u{1B}[1;2C", [.key(.arrow(.right, shift: true))]),
        ("\u{1B}[1;6D", [.key(.arrow(.left, shift: true))]),
        ("\u{1B}[1;5D", [.key(.arrow(.left, shift: false))]),
        ("\u{1B}[a", [.key(.arrow(.up, shift: true))]),
        ("\u{1B}[H", [.key(.home)]),
        ("\u{1B}OF", [.key(.end)]),
        ("\u{1B}[1~", [.key(.home)]),
        ("\u{1B}[4~", [.key(.end)]),
        ("\u{1B}[2~", [.key(.insert)]),
        ("\u{1B}[3~", [.key(.delete)]),
        ("\u{1B}[5~", [.key(.pageUp)]),
        ("\u{1B}[6~", [.key(.pageDown)]),
        ("\u{1B}[Z", [.key(.backTab)]),
        ("\u{1B}OP", [.key(.function(1))]),
        ("\u{1B}[[B", [.key(.function(2))]),
        ("\u{1B}[15~", [.key(.function(5))]),
        ("\u{1B}[24~", [.key(.function(12))]),
        ("\u{1B}[24;2~", [.key(.function(12))]),
        ("\u{1B}[<0;10;5M", [.key(.mouse(MouseEvent(.press, column: 9, row: 4)))]),
        ("\u{1B}[<32;11;5M", [.key(.mouse(MouseEvent(.drag, column: 10, row: 4)))]),
        ("\u{1B}[<0;11;5m", [.key(.mouse(MouseEvent(.release, column: 10, row: 4)))]),
        ("\u{1B}[<64;300;200M", [.key(.mouse(MouseEvent(.wheelUp, column: 299, row: 199)))]),
        ("\u{1B}[<69;1;1M", [.key(.mouse(MouseEvent(.wheelDown, column: 0, row: 0, shift: true)))]),
        ("\u{1B}[<2;1;1M", []),
        ("\u{1B}[<0;0;1M", []),
        ("\u{1B}[M !!", [.key(.mouse(MouseEvent(.press, column: 0, row: 0)))]),
        ("\u{1B}[M#*!", [.key(.mouse(MouseEvent(.release, column: 9, row: 0)))]),
        ("\u{1B}[200~60.1, 24.9\u{1B}[201~", [.key(.paste("60.1, 24.9"))]),
        ("\u{1B}[200~a\u{1B}[31mb\nc\u{1B}[201~q", [.key(.paste("a[31mb c")), .key(.character("q"))]),
        ("\u{1B}]11;rgb:1010/2020/2e2e\u{1B}\\", [.background(RGB(0x10202E))]),
        ("\u{1B}]11;rgb:f/0/8\u{07}", [.background(RGB(0xFF0088))]),
        ("\u{1B}]11;rgb:gg/0/8\u{07}x", [.key(.character("x"))]),
        ("\u{1B}[?2026;2$y", [.synchronizedFrames(true)]),
        ("\u{1B}[?2026;0$y", [.synchronizedFrames(false)]),
        ("\u{1B}[?997;1n", [.colourScheme]),
        ("\u{1B}[?5n", []),
        ("\u{1B}[6;18;9t", [.cellSize(width: 9, height: 18)]),
        ("\u{1B}[?62;22c", [.attributes(hasClipboard: false)]),
        ("\u{1B}[?62;22;52c", [.attributes(hasClipboard: true)]),
        ("\u{1B}[?63;1;4;22c", [.attributes(hasClipboard: false, hasSixel: true)]),
        ("\u{1B}P>|kitty(0.26.5)\u{1B}\\", [.name("kitty(0.26.5)")]),
        ("\u{1B}_Gi=5390999;OK\u{1B}\\q", [.image(id: 5_390_999, isStored: true), .key(.character("q"))]),
        ("\u{1B}_Gi=5,p=1;ENOENT:none\u{1B}\\", [.image(id: 5, isStored: false)]),
        ("\u{1B}]4;1;rgb:0/0/0\u{07}x", [.key(.character("x"))]),
        ("\u{1B}P1$r0m\u{1B}\\", []),
        ("\u{1B}[?2;0;1000;800S", [.sixelLimit(width: 1000, height: 800)]),
        ("\u{1B}\u{1B}[A", [.key(.escape), .key(.arrow(.up, shift: false))]),
        ("\u{1B}x", [.key(.escape), .key(.character("x"))]),
        ("\u{1B}[999X", []),
        ("\u{1B}[I\u{1B}[O", []),
    ]

    @Test(arguments: table)
    func `bytes are decoded to the keys they mean`(bytes: String, reports: [TerminalReport]) {
        var decoder = KeyDecoder(isUTF8: true)
        #expect(decoder.read(bytes.utf8) + decoder.pause() == reports)
    }

    @Test(arguments: table)
    func `splitting the bytes anywhere makes no difference`(bytes: String, reports: [TerminalReport]) {
        let bytes = Array(bytes.utf8)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                var decoder = KeyDecoder(isUTF8: true)
                let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
                #expect(pieces.flatMap { decoder.read($0) } + decoder.pause() == reports)
            }
        }
    }

    @Test func `a burst of bytes loses nothing`() {
        let bytes = Self.table.map(\.0).joined(separator: "j")
        let reports = Self.table.map(\.1).joined(separator: [TerminalReport.key(.character("j"))])
        for size in 1...40 {
            var decoder = KeyDecoder(isUTF8: true)
            var read: [TerminalReport] = []
            var rest = Array(bytes.utf8)[...]
            while !rest.isEmpty {
                read += decoder.read(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(read + decoder.pause() == Array(reports))
        }
    }

    @Test(arguments: [
        ("\u{1B}", [Key.escape]), ("\u{1B}[", [.escape, .character("[")]),
        ("\u{1B}]", [.escape, .character("]")]), ("\u{1B}O", [.escape, .character("O")]),
    ])
    func `after a pause a lone Escape is the Escape key`(bytes: String, keys: [Key]) {
        var decoder = KeyDecoder(isUTF8: true)
        #expect(decoder.read(bytes.utf8).isEmpty)
        #expect(decoder.wait == .key)
        #expect(decoder.pause() == keys.map { .key($0) })
        #expect(decoder.wait == nil)
    }

    @Test(arguments: [
        "\u{1B}[?62;", "\u{1B}]11;rgb:10", "\u{1B}P>|xterm", "\u{1B}_Gi=1", "\u{1B}[M!", "\u{1B}[200~cut",
    ])
    func `an unfinished sequence is dropped, and keys after it count`(beginning: String) {
        var decoder = KeyDecoder(isUTF8: true)
        #expect(decoder.read(beginning.utf8).isEmpty && decoder.pause().isEmpty)
        #expect(decoder.wait == (beginning.hasSuffix("cut") ? .paste : .sequence))
        let reports = decoder.expire()
        #expect(reports == (beginning.hasSuffix("cut") ? [.key(.paste("cut"))] : []))
        #expect(decoder.wait == nil && decoder.read("q".utf8) == [.key(.character("q"))])
    }

    @Test func `an unfinished character is dropped`() {
        var decoder = KeyDecoder(isUTF8: true)
        #expect(decoder.read([0xE2, 0x82]).isEmpty && decoder.wait == .sequence)
        #expect(decoder.expire().isEmpty && decoder.wait == nil)
    }

    @Test func `a reply in two pieces never leaks into the keys`() {
        var decoder = KeyDecoder(isUTF8: true)
        #expect(decoder.read("\u{1B}]11;rgb:10".utf8).isEmpty)
        #expect(decoder.pause().isEmpty)
        #expect(decoder.read("10/2020/2e2e\u{07}".utf8) == [.background(RGB(0x10202E))])
    }

    @Test(arguments: [[0xFF], [0xC0, 0x80], [0xE2, 0x28], [0xED, 0xA0, 0x80], [0xC2, 0x85]] as [[UInt8]])
    func `malformed UTF-8 doesn't swallow the next key`(bytes: [UInt8]) {
        var decoder = KeyDecoder(isUTF8: true)
        #expect(decoder.read(bytes + Array("q".utf8)).last == .key(.character("q")))
    }

    @Test func `without UTF-8, high bytes are Latin-1`() {
        var decoder = KeyDecoder(isUTF8: false)
        #expect(decoder.read([0xE9, 0x85]) == [.key(.character("é"))])
    }

    @Test func `no byte of 10,000 responses is taken for a key, wherever they are split`() {
        var random = SplitMix(seed: SplitMix.anySeed)
        for _ in 0..<10_000 {
            func text(_ longest: Int) -> String {
                let count = Int.random(in: 0...longest, using: &random)
                return String(
                    decoding: (0..<count).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) },
                    as: UTF8.self)
            }
            let number = Int.random(in: 0...99_999, using: &random)
            let responses = [
                "\u{1B}P>|\(text(60))\u{1B}\\", "\u{1B}_Gi=\(number);\(text(80))\u{1B}\\",
                "\u{1B}]\(number);\(text(40))\u{07}", "\u{1B}]\(number);\(text(40))\u{1B}\\",
                "\u{1B}[?\(number);4c", "\u{1B}[6;\(number);8t", "\u{1B}[4;\(number);800t",
                "\u{1B}[?2;0;\(number);9S", "\u{1B}[?2026;2$y", "\u{1B}P1$r\(text(9))\u{1B}\\",
            ]
            let response = Array((responses.randomElement(using: &random) ?? "").utf8)
            let cut = Int.random(in: 3...response.count, using: &random)
            var decoder = KeyDecoder(isUTF8: true)
            let reports =
                decoder.read(response[..<cut]) + decoder.pause() + decoder.read(response[cut...])
                + decoder.pause()
            let keys = reports.filter { if case .key = $0 { true } else { false } }
            #expect(keys.isEmpty, "\(response)")
        }
    }

    @Test func `random bytes are never held back forever`() {
        var seed: UInt64 = 7
        for _ in 0..<300 {
            var decoder = KeyDecoder(isUTF8: true)
            let noise = (0..<200).map { _ -> UInt8 in
                seed = seed &* 6_364_136_223_846_793_005 &+ 1
                return [0x1B, 0x5B, 0x4F, 0x5D, 0x3B, 0x31, UInt8(seed >> 56)][Int(seed >> 33) % 7]
            }
            _ = decoder.read(noise) + decoder.read("\u{18}\u{1B}[201~".utf8)
            #expect(decoder.read(Array(repeating: UInt8(ascii: "q"), count: 300)).count >= 1)
        }
    }
}
