internal import RhumbCore

/// The button code of an xterm mouse report. Only the left button and the wheel produce events.
struct MouseButton {
    let code: Int
    let isRelease: Bool

    func event(column: Int, row: Int) -> MouseEvent? {
        guard column >= 0, row >= 0, let action else { return nil }
        return MouseEvent(action, column: column, row: row, shift: code & 4 != 0)
    }

    private var action: MouseEvent.Action? {
        switch code & ~0b1_1100 {
        case 0: isRelease ? .release : .press
        case 32: isRelease ? .release : .drag
        case 64: isRelease ? nil : .wheelUp
        case 65: isRelease ? nil : .wheelDown
        default: nil
        }
    }
}

/// Mouse reports of terminals without mode 1006: `ESC [ M` and three bytes, each offset by 32.
enum OldMouse {
    static func step(_ bytes: ArraySlice<UInt8>) -> KeyDecoder.Step {
        let numbers = bytes.dropFirst(3).prefix(3).map { Int($0) - 32 }
        guard numbers.count == 3 else { return .incomplete }
        let isRelease = numbers[0] & 0b110_0011 == 3
        let button = MouseButton(code: isRelease ? 0 : numbers[0], isRelease: isRelease)
        let event = button.event(column: numbers[1] - 1, row: numbers[2] - 1)
        return .read(6, event.map { [.key(.mouse($0))] } ?? [])
    }
}
