internal import RhumbCore
internal import RhumbEngine

/// The gazetteer's names that are known of, and for which part of the world.
struct LabelsKnown: Sendable {
    var places: [NamedPlace] = []
    /// What was asked for last: box, and zoom as a whole number.
    var box: WorldBox?
    var zoom = -1
    /// Answers on their way; only the last counts.
    var awaited = 0
}

extension Browser {
    /// Names kept ready at most.
    private static let labelLimit = 400

    /// Whether names are written over the map: where its own can't be read, or as the person says.
    var showsLabels: Bool { settings.labels ?? (base.map { !$0.info.hasLettering } ?? false) }

    /// After a move: asks for names if the view comes near the edge of the ground they are known for.
    mutating func followLabels() -> [Effect] {
        guard showsLabels, !isTooSmall else { return [] }
        let zoom = Int(viewport.camera.zoom.rounded(.down)), view = viewport.box
        let width = view.maxX - view.minX, height = view.maxY - view.minY
        if let box = labels.box, labels.zoom == zoom, box.minX <= view.minX - width / 3, box.maxX >= view.maxX + width / 3,
            box.minY <= view.minY - height / 3, box.maxY >= view.maxY + height / 3
        { return [] }
        labels.zoom = zoom
        labels.box = WorldBox(
            minX: view.minX - width, minY: view.minY - height, maxX: view.maxX + width, maxY: view.maxY + height)
        guard let bounds = Browser.bounds(of: labels.box) else { return [] }
        labels.awaited += 1
        return [.askLabels(bounds, minimumImportance: max(6.6 - 0.5 * Double(zoom), 0), limit: Browser.labelLimit)]
    }

    private static func bounds(of box: WorldBox?) -> Bounds? {
        guard let box else { return nil }
        let isWhole = box.maxX - box.minX >= 1
        let north = Mercator.coordinate(WorldPoint(x: box.minX, y: max(box.minY, 0)))
        let south = Mercator.coordinate(WorldPoint(x: box.maxX, y: min(box.maxY, 1)))
        return Bounds(
            west: isWhole ? -180 : north.longitude, south: south.latitude, east: isWhole ? 180 : south.longitude,
            north: north.latitude)
    }

    mutating func learn(labels places: [NamedPlace]) -> [Effect] {
        labels.places = places
        labels.awaited = max(labels.awaited - 1, 0)
        names.isStale = true
        return []
    }

    mutating func setLabels(_ isOn: Bool?) -> [Effect] {
        settings.labels = isOn
        labels = LabelsKnown()
        names = NamesKnown()
        return []
    }

    /// Writes names in another language, where the map has it.
    mutating func setNames(_ language: NameLanguage) -> [Effect] {
        settings.nameLanguage = language
        return []
    }
}
