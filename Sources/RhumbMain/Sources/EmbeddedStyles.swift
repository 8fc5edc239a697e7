internal import CAssets
internal import Rhumb
internal import RhumbBrowser

/// Rhumb's own two styles for vector tiles, by day and by night, that ride inside the binary.
enum EmbeddedStyles {
    private static let day = read(.day), night = read(.night)

    static func style(_ theme: Settings.Theme) throws(Notice.Problem) -> Style {
        switch theme {
        case .day: try day.get()
        case .night: try night.get()
        }
    }

    private static func read(_ theme: Settings.Theme) -> Result<Style, Notice.Problem> {
        do throws(StyleFailure) {
            return .success(try Style(bytes(theme)))
        } catch {
            return .failure(Notice.Problem("the embedded style: \(error)"))
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
