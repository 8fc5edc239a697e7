public import RhumbCore

/// A query for the lights of cities at night.
public struct CityLightsQuery: Query {
    /// Queries about cities run in order.
    public static var scheduling: QueryScheduling { .inOrder("places") }
    /// False, because the lights are drawn together with other parts of the view.
    public static var isDrawnAtOnce: Bool { false }

    public typealias Response = [Daylight.Light]
}

/// Day and night on a map of the whole world.
extension Browser {
    /// The zoom from which day and night are hidden.
    static let daylightEnd = 4.25
    /// The number of zooms over which day and night fade out.
    private static let daylightFade = 1.0

    /// Sets the time of day and night with which the program starts.
    public mutating func begin(at time: MapTime) { appearance.daylight.time = time }

    /// Returns the strength of day and night at a zoom, from 0 to 1.
    public static func daylightStrength(at zoom: Double) -> Double {
        min(max((daylightEnd - zoom) / daylightFade, 0), 1)
    }

    mutating func setDaylight(_ time: MapTime?) -> [Effect] {
        appearance.daylight.time = time
        appearance.daylight.minute = -1
        appearance.daylight.due = map.now
        if time == nil { map.settings.daylight = nil }
        return time != nil && map.viewport.camera.zoom >= Browser.daylightEnd
            ? say(NoticesText.daylight) : []
    }

    /// Updates day and night for the view and the clock.
    mutating func followDaylight() -> [Effect] {
        guard let time = appearance.daylight.time else { return [] }
        let strength = Browser.daylightStrength(at: map.viewport.camera.zoom)
        guard strength > 0 else {
            map.settings.daylight = nil
            appearance.daylight.minute = -1
            return []
        }
        let seconds = time.seconds(now: (appearance.sun.startTime ?? 0) + map.now / .seconds(1))
        let minute = Int(clamping: (seconds / 60).rounded(.down))
        if minute != appearance.daylight.minute || map.viewport.camera.zoom != appearance.daylight.zoom {
            let zoom = map.viewport.camera.zoom
            map.settings.daylight = Daylight(
                time: Double(minute) * 60, strength: strength, lights: appearance.daylight.lights, zoom: zoom)
            appearance.daylight.minute = minute
            appearance.daylight.zoom = zoom
        }
        return askLights() + watchClock(time)
    }

    private mutating func askLights() -> [Effect] {
        guard !appearance.daylight.hasAskedLights else { return [] }
        appearance.daylight.hasAskedLights = true
        return [.ask(CityLightsQuery())]
    }

    private mutating func watchClock(_ time: MapTime) -> [Effect] {
        guard time == .now, map.now >= appearance.daylight.due else { return [] }
        appearance.daylight.due = map.now + SunWatch.pace
        return [.wake(after: SunWatch.pace)]
    }
}
