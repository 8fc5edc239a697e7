/// The texts of the traffic panel.
enum TrafficText {
    static let billing = "Live requests are billed."
    static let vectorTitle = "Traffic from vector tiles"
    static let title = "Traffic"
    static let images = "images"
    static let vectorTiles = "vector tiles"
    static let all = "flow and incidents"
}
