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

    /// The text of Rhumb's own style, for a person to change.
    public static func standardText(_ theme: MapTheme) -> [UInt8] {
        switch theme {
        case .day: bytes(rhumb_asset_style_day(), rhumb_asset_style_day_size())
        case .night: bytes(rhumb_asset_style_night(), rhumb_asset_style_night_size())
        }
    }

    private static let standardDay = read(.day)
    private static let standardNight = read(.night)

    private static func read(_ theme: MapTheme) -> Result<Style, StyleFailure> {
        Result { () throws(StyleFailure) in try Style(standardText(theme)) }
    }

    private static func bytes(_ start: UnsafePointer<UInt8>?, _ size: Int) -> [UInt8] {
        Array(UnsafeBufferPointer(start: start, count: size))
    }
}
