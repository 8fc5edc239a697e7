// A small program on `Screen` that tests run in a pseudo-terminal. It shows each key it receives, and ends in
// every possible way.

internal import Glibc
internal import RhumbCore
internal import RhumbTerminal

struct Thrown: Error {}

/// Returns an image with every hue, and the last events in the rows at the bottom.
func picture(_ size: (columns: Int, rows: Int), _ lines: [String], shift: Int) -> CellGrid {
    var grid = CellGrid(columns: size.columns, rows: size.rows)
    for row in 0..<size.rows {
        for column in 0..<size.columns {
            let red = UInt8((column + shift) * 255 / max(size.columns + shift, 1))
            let green = UInt8(row * 255 / max(size.rows, 1))
            grid[row, column] = Cell(
                "▀", ink: .rgb(RGB(red: red, green: green, blue: 96)),
                paper: .rgb(RGB(red: red, green: green, blue: 160)))
        }
    }
    for (offset, line) in lines.suffix(size.rows).enumerated() {
        let row = size.rows - min(lines.count, size.rows) + offset
        grid.write(line + "  ", row: row, column: 0, paper: .terminal, style: .bold)
    }
    return grid
}

func describe(_ event: ScreenEvent, _ screen: Screen) -> String {
    switch event {
    case .resized(let columns, let rows):
        "size \(columns)x\(rows) aspect \(screen.cellAspect.map { "\($0)" } ?? "unknown")"
    default: "\(event)"
    }
}

/// Allocates more than the process may have.
func exhaustMemory() {
    var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    print([UInt8](repeating: 1, count: 256 << 20).count)
}

func run() throws {
    let profile = TerminalProfile.current()
    let screen = try Screen(profile)
    var lines = ["日本 café ready \(profile.colors.rawValue) \(screen.size.columns)x\(screen.size.rows)"]
    var shift = 0
    screen.draw(picture(screen.size, lines, shift: shift))
    while true {
        for event in screen.wait(upTo: nil) {
            lines = lines.suffix(7) + [describe(event, screen)]
            switch event {
            case .key(.character("q")): return
            case .key(.character("t")): throw Thrown()
            case .key(.character("x")): exit(7)
            case .key(.character("f")): fatalError("asked to")
            case .key(.character("s")): raise(SIGSEGV)
            case .key(.character("m")): exhaustMemory()
            case .key(.character("l")): shift += 1
            case .key(.character("u")): break
            case .key(.control("l")): screen.redraw()
            case .key(.control("z")):
                screen.suspend()
                lines.append("back")
            case .terminated(let signal):
                screen.close()
                exit(128 + signal)
            default: break
            }
        }
        if lines.last != "key(RhumbCore.Key.character(\"u\"))" {
            screen.draw(picture(screen.size, lines, shift: shift))
        }
    }
}

do {
    try run()
} catch is Thrown {
    exit(3)
} catch {
    print(error)
    exit(1)
}
