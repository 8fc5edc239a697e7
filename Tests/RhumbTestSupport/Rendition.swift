internal import RhumbCore

/// An interpreter of Select Graphic Rendition, with colours in both notations: `38;2;r;g;b` and
/// `38:2::r:g:b`.
enum Rendition {
    static func apply(_ code: ControlCode, to pen: inout Cell) {
        var rest = code.parameters.isEmpty ? [[0]][...] : code.parameters[...]
        while let parameter = rest.popFirst() {
            let number = (parameter.first ?? nil) ?? 0
            if number == 38 || number == 48 {
                let color =
                    parameter.count > 1
                    ? colon(parameter.dropFirst().map { $0 }) : semicolon(&rest)
                if let color { set(color, isInk: number == 38, &pen) }
            } else {
                apply(number, &pen)
            }
        }
    }

    private static func set(_ color: CellColor, isInk: Bool, _ pen: inout Cell) {
        if isInk { pen.ink = color } else { pen.paper = color }
    }

    private static func colon(_ parts: [Int?]) -> CellColor? {
        switch parts.first ?? nil {
        case 5 where parts.count >= 2: indexed(parts[1])
        case 2 where parts.count >= 5: rgb(Array(parts[2...]))
        case 2 where parts.count == 4: rgb(Array(parts[1...]))
        default: nil
        }
    }

    private static func semicolon(_ rest: inout ArraySlice<[Int?]>) -> CellColor? {
        let kind = rest.popFirst()?.first ?? nil
        let count = kind == 2 ? 3 : 1
        let values = rest.prefix(count).map { $0.first ?? nil }
        rest = rest.dropFirst(count)
        return kind == 2 ? rgb(values) : indexed(values.first ?? nil)
    }

    private static func indexed(_ value: Int?) -> CellColor? {
        value.flatMap { UInt8(exactly: $0) }.map { .indexed($0) }
    }

    private static func rgb(_ values: [Int?]) -> CellColor? {
        let channels = values.prefix(3).compactMap { $0.flatMap { UInt8(exactly: $0) } }
        guard channels.count == 3 else { return nil }
        return .rgb(RGB(red: channels[0], green: channels[1], blue: channels[2]))
    }

    private static func apply(_ number: Int, _ pen: inout Cell) {
        switch number {
        case 0: pen = .blank
        case 1: pen.style.insert(.bold)
        case 2: pen.style.insert(.dim)
        case 4: pen.style.insert(.underline)
        case 7: pen.style.insert(.reverse)
        case 22: pen.style.subtract([.bold, .dim])
        case 24: pen.style.remove(.underline)
        case 27: pen.style.remove(.reverse)
        case 30...37: pen.ink = .indexed(UInt8(number - 30))
        case 39: pen.ink = .terminal
        case 40...47: pen.paper = .indexed(UInt8(number - 40))
        case 49: pen.paper = .terminal
        case 90...97: pen.ink = .indexed(UInt8(number - 82))
        case 100...107: pen.paper = .indexed(UInt8(number - 92))
        default: break
        }
    }
}
