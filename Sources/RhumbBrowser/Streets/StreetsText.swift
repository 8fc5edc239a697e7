/// The texts about streets on the built-in world map.
enum StreetsText {
    static let question = "Show streets?"
    static let title = "Streets"
    static let noSource = "No street source is configured."
    static let isOff = "Streets are off"
    static let staysOff = "Streets stay off. Turn them on with :streets."
    static let needsWorld = "Streets are only shown on the built-in world map. Open it with :open world."

    /// Returns the notes about the data that the server receives, and about turning streets off.
    static func notes(_ offer: ServiceOffer, isOffline: Bool) -> [String] {
        [
            "\(offer.name) (\(offer.host)) receives your IP address and the tile numbers of the views you open.",
            "Tiles are cached on this computer. Turn off with :streets off.",
        ] + (isOffline ? ["You are offline. Streets appear once you go online (o)."] : [])
    }

    static func turnedOn(_ offer: ServiceOffer) -> String {
        "Streets from \(offer.name). Turn them off with :streets off."
    }

    static func chosen(_ offer: ServiceOffer) -> String {
        "Streets from \(offer.name) (\(offer.host)), from zoom 6"
    }

    static func alreadyOn(_ offer: ServiceOffer) -> String {
        "Streets are on: \(offer.name), from zoom 6. Turn them off with :streets off."
    }

    static func failed(_ problem: String) -> String {
        "No streets: \(problem). Retrying. Turn streets off with :streets off."
    }

    static func unknown(_ names: [String]) -> String {
        "streets: expected one of \(names.joined(separator: ", "))"
    }
}
