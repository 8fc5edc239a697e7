internal import RhumbCore

/// A kind of value and the Swift type of its values. It prevents the table of options from giving an option a
/// value of another type.
struct Kind<Value>: Sendable {
    let kind: ValueKind
}

extension Kind<String> {
    static var path: Self { Kind(kind: .path) }
    static var source: Self { Kind(kind: .source) }
    static var text: Self { Kind(kind: .text) }
    static var list: Self { Kind(kind: .list) }
    static func word(_ words: [String]) -> Self { Kind(kind: .word(words)) }
    static func wordOrFile(_ words: [String]) -> Self { Kind(kind: .wordOrFile(words)) }
}

extension Kind<Int> {
    static func whole(_ range: ClosedRange<Int>) -> Self { Kind(kind: .whole(range)) }
    static func bytes(_ range: ClosedRange<Int>) -> Self { Kind(kind: .bytes(range)) }
}

extension Kind<Double> {
    static func number(_ range: ClosedRange<Double>) -> Self { Kind(kind: .number(range)) }
    static var width: Self { Kind(kind: .width) }
}

extension Kind<ParsedLocation> { static var place: Self { Kind(kind: .place) } }
extension Kind<Bounds> { static var bounds: Self { Kind(kind: .bounds) } }
extension Kind<ClosedRange<Int>> { static var zooms: Self { Kind(kind: .zooms) } }
extension Kind<TileID> { static var tile: Self { Kind(kind: .tile) } }
extension Kind<MapTime> { static var time: Self { Kind(kind: .time) } }
extension Kind<PictureSize> { static var size: Self { Kind(kind: .size) } }
extension Kind<Symbols?> { static var symbols: Self { Kind(kind: .symbols) } }
