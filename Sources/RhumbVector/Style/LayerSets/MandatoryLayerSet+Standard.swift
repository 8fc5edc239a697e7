internal import RhumbBase

extension MandatoryLayerSet {
    /// The layers for styles without a valid set of their own.
    var standard: [JSON] { Self.standards[self] ?? [] }

    private static let standards = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.made) })

    private var made: [JSON] {
        switch self {
        case .activeRoute: route(opacity: 1)
        case .inactiveRoute: route(opacity: 0.45)
        case .routeStart: [mark("", "◉", "#1A6FE8", size: 18)]
        case .routeEnd: [mark("", "⚑", "#C4302B", size: 18)]
        case .positionAccuracy: [radius("", "#1A6FE8"), radius("dimmed", "#808080")]
        case .position: [mark("", "●", "#1A6FE8", size: 20), mark("dimmed", "●", "#808080", size: 20)]
        case .chevron: [mark("", "▲", "#1A6FE8", size: 20), mark("dimmed", "▲", "#808080", size: 20)]
        }
    }

    private func route(opacity: JSON) -> [JSON] {
        [("outline", "#FFFFFF", Self.width(3.5, 6)), ("fill", "#1A6FE8", Self.width(2, 3.6))].map {
            part, colour, width in
            let paint: JSON = ["line-color": .string(colour), "line-width": width, "line-opacity": opacity]
            return layer(part, layout: Self.round, paint: paint)
        }
    }

    private static let round: JSON = ["line-cap": "round", "line-join": "round"]

    private static func width(_ far: JSON, _ near: JSON) -> JSON {
        ["interpolate", ["linear"], ["zoom"], 8, far, 18, near]
    }

    private func layer(_ part: String, layout: JSON, paint: JSON) -> JSON {
        [
            "id": .string(part.isEmpty ? rawValue : "\(rawValue)-\(part)"), "type": .string(kind.rawValue),
            "source": .string(rawValue), "layout": layout, "paint": paint,
        ]
    }

    private func mark(_ part: String, _ sign: JSON, _ colour: JSON, size: JSON) -> JSON {
        layer(
            part, layout: ["text-field": sign, "text-size": size, "text-allow-overlap": true],
            paint: ["text-color": colour, "text-halo-color": "#FFFFFF", "text-halo-width": 1])
    }

    private func radius(_ part: String, _ colour: JSON) -> JSON {
        layer(
            part, layout: [:],
            paint: [
                "circle-radius": ["coalesce", ["get", "radius"], 20], "circle-color": colour,
                "circle-opacity": 0.2,
                "circle-stroke-color": colour, "circle-stroke-width": 1,
            ])
    }
}
