/// The part of a feature's kind in descriptions.
extension PlaceCategory {
    /// Returns the metres that are added to a feature's distance when the place is named after the nearest
    /// thing, so that a museum 25 m away comes before a shop in its house; nil if it names no place.
    func handicap(_ kind: String) -> Double? {
        switch self {
        case .parking, .bicycle, .toilets, .water, .shelter, .street, .address, .building, .settlement: nil
        case .sight, .museum, .worship, .airport, .park, .viewpoint, .peak: 0
        case .transit: topic(kind) == .station ? 0 : 30
        case .office: kind.hasPrefix("town") ? 0 : 25
        case .culture, .hospital, .education, .sport, .swimming, .cemetery, .ferry, .railway: 10
        case .lodging, .camping, .police, .playground, .river, .lake: 20
        case .shop, .food, .drinks, .supermarket, .bank, .post, .pharmacy, .fuel, .charging, .other: 30
        }
    }

    /// Returns the subject of a feature; nil if it is not mentioned.
    func topic(_ kind: String) -> PlaceDescription.Topic? {
        switch self {
        case .settlement:
            return Self.quarters.contains(kind) ? .quarter : nil
        case .transit:
            return Self.stations.contains(kind)
                ? .station : kind == "taxi" || kind.hasSuffix("entrance") ? nil : .stop
        case .sight: return Self.vagueSights.contains(kind) ? nil : .sight
        case .worship: return .worship
        case .park: return .park
        case .ferry: return .harbour
        case .museum, .viewpoint: return .sight
        case .shop: return .shop
        case .food, .drinks: return .food
        case .supermarket, .pharmacy, .hospital, .bank, .post, .police, .toilets, .fuel:
            // A fire station is only related to the police, and a letter box is no post office.
            if kind == "post_box" { return nil }
            return mainClasses.isEmpty || mainClasses.contains(kind) ? .service : nil
        case .peak: return .peak
        case .airport: return .airport
        default: return nil
        }
    }

    // A set is made once; a list in the function took a third of its time.
    private static let quarters: Set = [
        "suburb", "neighbourhood", "neighborhood", "quarter", "borough", "macrohood",
    ]
    /// The classes of railway stations.
    package static let stations: Set = ["station", "train_station", "railway_station", "halt"]
    private static let vagueSights: Set = ["information", "artwork", "tourism", "historic"]
}
