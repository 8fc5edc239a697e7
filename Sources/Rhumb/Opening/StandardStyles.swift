internal import CDefaults
public import RhumbCore

/// What the library brings along.
extension Style {
    /// Rhumb's own style for vector tiles of the schemas it knows.
    /// - Throws: `StyleFailure`, if it was damaged when the library was built.
    public static func standard(_ theme: MapTheme) throws(StyleFailure) -> Style {
        switch theme {
        case .day: try standardDay.get()
        case .night: try standardNight.get()
        }
    }

    private static let standardDay = read(rhumb_asset_style_day(), rhumb_asset_style_day_size())
    private static let standardNight = read(rhumb_asset_style_night(), rhumb_asset_style_night_size())

    private static func read(_ start: UnsafePointer<UInt8>?, _ size: Int) -> Result<Style, StyleFailure> {
        Result { () throws(StyleFailure) in try Style(Array(UnsafeBufferPointer(start: start, count: size))) }
    }
}
