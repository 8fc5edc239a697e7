internal import RhumbCore

/// A style as it was read at some time.
struct LoadedStyle: Sendable {
    var style: Style
    /// The file or address, or what Rhumb's own is called.
    let place: String
    /// What tells its pictures from those of other styles: letters and digits.
    let mark: String

    /// - Throws: `MapOpenFailure`, where the bytes are no style.
    init(_ bytes: [UInt8], at place: String) throws(MapOpenFailure) {
        do throws(StyleFailure) {
            style = try Style(bytes)
        } catch {
            throw .document(file: place, problem: "\(error)")
        }
        self.place = place
        mark = String(FNV1a.hash(bytes), radix: 16)
    }

    private init(_ style: Style, _ theme: MapTheme) { (self.style, place, mark) = (style, "the style", theme.rawValue) }

    /// Rhumb's own.
    /// - Throws: `MapOpenFailure`, if it was damaged when the library was built.
    static func standard(_ theme: MapTheme) throws(MapOpenFailure) -> LoadedStyle {
        do throws(StyleFailure) {
            return LoadedStyle(try Style.standard(theme), theme)
        } catch {
            throw .document(file: "the embedded style", problem: "\(error)")
        }
    }
}
