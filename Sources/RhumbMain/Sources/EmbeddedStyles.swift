internal import CAssets
internal import Rhumb
internal import RhumbBrowser

/// Rhumb's own two styles for vector tiles, by day and by night, that ride inside the binary.
enum EmbeddedStyles {
    static func style(_ theme: Settings.Theme) throws(Notice.Problem) -> Style {
        do throws(StyleFailure) {
            return try Style(bytes(theme))
        } catch {
            throw Notice.Problem("the embedded style: \(error)")
        }
    }

    private static func bytes(_ theme: Settings.Theme) -> [UInt8] {
        switch theme {
        case .day: [UInt8](UnsafeRawBufferPointer(start: rhumb_asset_style_day(), count: rhumb_asset_style_day_size()))
        case .night:
            [UInt8](UnsafeRawBufferPointer(start: rhumb_asset_style_night(), count: rhumb_asset_style_night_size()))
        }
    }
}
