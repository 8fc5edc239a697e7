import RhumbTestSupport
import Testing

/// Tests the line after `:` in the program itself.
struct CommandLineJourneyTests {
    @Test func `Tab lists files and sources, and a later run has the typed lines`() throws {
        let home = TemporaryFolder()
        home.write([], to: "maps/town.mbtiles")
        home.write([], to: "maps/notes.txt")
        let first = try Journey(columns: 120, environment: ["HOME": home.path])
        try first.see("World")
        try first.type(":open \(home.path)/ma\t")
        try first.see("folder")
        try first.type("\r")
        try first.see("MBTiles")
        #expect(!first.program.screen.text.contains("notes.txt"))
        try first.type("\r")
        try first.see(":open \(home.path)/maps/town.mbtiles")
        try first.type("\u{1B}")
        try first.settle()
        try first.type(":zoom 5\r")
        try first.see("z5.0")
        #expect(try first.quit() == .exited(0))
        let second = try Journey(columns: 120, environment: ["HOME": home.path])
        try second.see("World")
        try second.type(":\u{12}")
        try second.see("History")
        try second.see("zoom 5")
        try second.type("\r")
        try second.see(":zoom 5")
    }

    @Test func `the format of saved pictures follows the extension, and no file is overwritten`() throws {
        let home = TemporaryFolder()
        let journey = try Journey(columns: 100, environment: ["HOME": home.path])
        try journey.see("World")
        for (name, start) in [
            ("a.png", "\u{89}PNG"), ("a.jpeg", "\u{FF}\u{D8}"), ("a.webp", "RIFF"), ("a.svg", "<svg"),
            ("a.txt", ""),
            ("a.ans", "\u{1B}["),
        ] {
            try journey.type(":save ~/\(name) legend\r")
            try journey.see("Saved \(home.path)/\(name)")
            #expect(
                home.bytes(name).starts(with: start.unicodeScalars.map { UInt8($0.value) })
                    && home.bytes(name).count > 500)
        }
        #expect(String(decoding: home.bytes("a.svg"), as: UTF8.self).contains("Natural Earth"))
        try journey.type(":save ~/a.gif\r")
        try journey.see(".png, .jpg, .webp, .svg, .ans, .txt")
        #expect(try journey.quit() == .exited(0))
        #expect(!home.names.contains("a.gif"))
    }
}
