internal import RhumbBase
internal import RhumbGeo
public import RhumbWeb

/// Addresses of requests to search services.
extension OnlineSearchService {
    /// Returns the address of a query.
    public func address(of question: OnlineSearchQuestion) -> HTTPAddress {
        switch (kind, question.spot) {
        case (.nominatim, nil): base.appending(path: "/search", query: encoded(nominatim(question)))
        case (.photon, nil): base.appending(path: "/api/", query: encoded(photon(question)))
        case (.nominatim, let spot?):
            base.appending(path: "/reverse", query: encoded(nominatim(at: spot, question)))
        case (.photon, let spot?):
            base.appending(path: "/reverse", query: encoded(photon(at: spot, question)))
        }
    }

    private func encoded(_ items: [(String, String)]) -> [(name: String, value: String)] {
        items.map { ($0, PercentCoding.encoded($1)) }
    }

    // MARK: Text queries

    private func nominatim(_ question: OnlineSearchQuestion) -> [(String, String)] {
        var items = [
            ("format", "jsonv2"), ("limit", "\(question.limit)"), ("accept-language", question.language),
            ("q", question.text),
        ]
        if let box = question.box ?? question.near.flatMap(Self.surroundings) {
            items.append(
                (
                    "viewbox",
                    [box.west, box.north, box.east, box.south].map { $0.plain() }.joined(separator: ",")
                ))
        }
        if question.box != nil { items.append(("bounded", "1")) }
        return items
    }

    private func photon(_ question: OnlineSearchQuestion) -> [(String, String)] {
        var items = [("limit", "\(question.limit)"), ("q", question.text)] + photonLanguage(question)
        if let near = question.near { items += place(near) }
        if let box = question.box {
            items.append(
                (
                    "bbox",
                    box.edges.map { $0.plain() }.joined(separator: ",")
                ))
        }
        return items
    }

    /// Returns the language parameter; empty for languages without names in Photon, which it rejects.
    private func photonLanguage(_ question: OnlineSearchQuestion) -> [(String, String)] {
        ["de", "en", "fr"].contains(question.language) ? [("lang", question.language)] : []
    }

    /// Returns the box of preferred results: one degree around a place.
    private static func surroundings(_ place: Coordinate) -> Bounds? {
        Bounds(
            west: max(place.longitude - 1, -180), south: max(place.latitude - 1, -90),
            east: min(place.longitude + 1, 180), north: min(place.latitude + 1, 90))
    }

    // MARK: Queries at a place

    private func nominatim(at spot: Coordinate, _ question: OnlineSearchQuestion) -> [(String, String)] {
        [("format", "jsonv2"), ("accept-language", question.language)] + place(spot)
    }

    private func photon(at spot: Coordinate, _ question: OnlineSearchQuestion) -> [(String, String)] {
        [("limit", "\(question.limit)")] + photonLanguage(question) + place(spot)
    }

    private func place(_ place: Coordinate) -> [(String, String)] {
        [("lat", place.latitude.plain()), ("lon", place.longitude.plain())]
    }
}
