/// The purpose of a feature, in the categories that users search for. The raw values are stored on disk.
public enum PlaceCategory: UInt8, Sendable, CaseIterable {
    case other = 0, street, address, settlement, building
    case food, drinks, fuel, charging, pharmacy, hospital, lodging, camping, shop, supermarket
    case bank, post, police, transit, airport, ferry, parking, bicycle, water, toilets
    case viewpoint, sight, museum, culture, worship, education, park, playground, sport, swimming
    case peak, river, lake, shelter, office, cemetery, railway

    /// Finds the category of a feature.
    /// - Parameter classes: The classes of the feature in its tile, the most specific first.
    /// - Returns: The category and the class that determined it; nil if no class is known.
    static func of(_ classes: some Sequence<String>) -> (category: PlaceCategory, kind: String)? {
        for kind in classes {
            if let category = byClass[kind] { return (category, kind) }
        }
        return nil
    }

    /// True if features of the category are searchable without a name.
    var isFoundUnnamed: Bool { PlaceCategory.foundUnnamed.contains(self) }

    private static let foundUnnamed: Set<PlaceCategory> = [
        .food, .drinks, .fuel, .charging, .pharmacy, .hospital, .lodging, .camping, .supermarket, .bank,
        .post, .police,
        .transit, .ferry, .parking, .bicycle, .water, .toilets, .viewpoint, .playground, .swimming, .peak,
        .shelter,
    ]

    /// The category as one of 64 bits.
    package var bit: UInt64 { 1 << UInt64(rawValue) }

    private static let byClass: [String: PlaceCategory] = {
        let entries = CategoryNames.categories.flatMap { entry in entry.classes.map { ($0, entry.category) } }
        return Dictionary(entries) { first, _ in first }
    }()
}
