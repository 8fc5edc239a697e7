internal import RhumbBase
public import RhumbGeo
public import RhumbVector

extension TileFeatures {
    /// Reads the searchable features of a vector tile: named features, those searchable without a name, and
    /// house numbers. Merges the pieces of streets. Skips damaged layers.
    /// - Parameter isLeftOut: For each quarter of the tile, in the order of `TileID.children`, true to drop
    ///   the features whose centre is in it.
    public init(_ bytes: VectorTile, at tile: TileID, isLeftOut: [Bool] = [false, false, false, false]) {
        self.init(tile: tile)
        var streets = StreetMerger(tile: tile)
        for name in Set(bytes.layerNames).sorted() {
            let kind = SearchLayer(name: name)
            guard kind != .ignored, let layer = (try? bytes.layer(named: name)).flatMap(\.self) else {
                continue
            }
            var reader = SearchLayerReader(layer, kind)
            reader.read(into: &self, &streets)
        }
        houses = streets.named(houses)
        features = Array(
            (features + streets.joined).filter { !isLeftOut[TileFeatures.quarter(of: $0.middle)] }.prefix(
                TileFeatures.limit))
        houses = Array(Set(houses.filter { !isLeftOut[TileFeatures.quarter(of: $0.place)] })).sorted {
            $0.order < $1.order
        }
    }
}

extension HouseNumber {
    /// The sort key: street, then number.
    fileprivate var order: (String, String, Int32, Int32) { (street, number, place.x, place.y) }
}

/// Reads the searchable features of one layer.
struct SearchLayerReader {
    private let layer: VectorLayer
    private let kind: SearchLayer
    private let attributes: [SearchAttribute]
    private var geometry = GeometryReader()
    private var tags: [UInt32] = []
    /// The box in units of `TileFeatures.extent` that features must touch; nil for all.
    var area: (low: SIMD2<Double>, high: SIMD2<Double>)?

    init(_ layer: VectorLayer, _ kind: SearchLayer) {
        self.layer = layer
        self.kind = kind
        attributes = layer.keys.map(SearchAttribute.init)
    }

    mutating func read(into found: inout TileFeatures, _ streets: inout StreetMerger) {
        for feature in layer.features
        where max(found.features.count + found.houses.count, streets.count) < TileFeatures.limit {
            guard isNear(feature), let facts = facts(of: feature), geometry.read(feature, of: layer),
                let shape = SearchShape(geometry.geometry, feature.kind, extent: layer.extent)
            else { continue }
            if !facts.number.isEmpty, let place = shape.middleInside {
                found.houses.append(HouseNumber(facts.number, street: facts.street, at: place))
            }
            guard let thing = thing(facts, shape) else { continue }
            if thing.category == .street, feature.kind != .point {
                streets.add(thing, shape)
            } else if shape.middleInside != nil {
                found.features.append(thing)
            }
        }
    }

    private mutating func isNear(_ feature: VectorFeature) -> Bool {
        guard let area else { return true }
        let unit = Double(layer.extent) / Double(TileFeatures.extent)
        return geometry.read(feature, of: layer)
            && geometry.geometry.touches(area.low * unit, area.high * unit)
    }

    /// Returns the searchable attributes of a feature; nil if there are none.
    private mutating func facts(of feature: VectorFeature) -> SearchFacts? {
        guard layer.readTags(of: feature, into: &tags) else { return nil }
        var facts = SearchFacts()
        for at in stride(from: 0, to: tags.count, by: 2) {
            let key = Int(tags[at])
            guard attributes[key] != .ignored, let value = layer.values[Int(tags[at + 1])] else { continue }
            facts.take(value, attributes[key], key: layer.keys[key])
        }
        return facts.isEmpty ? nil : facts
    }

    private func thing(_ facts: SearchFacts, _ shape: SearchShape) -> IndexedFeature? {
        let told = PlaceCategory.of(facts.kinds)
        var category = told?.category ?? (facts.hasShop ? .shop : kind.category)
        if kind == .streets, ![.railway, .ferry, .transit, .airport].contains(category) {
            category = .street
        }
        if kind == .settlements, category != .street { category = .settlement }
        guard kind != .houses else { return nil }
        guard
            !facts.name.isEmpty || kind == .sights && category.isFoundUnnamed
                || category == .street && !facts.ref.isEmpty
        else { return nil }
        var thing = IndexedFeature(facts.name.isEmpty ? facts.ref : facts.name, category, at: shape.middle)
        thing.low = shape.low
        thing.high = shape.high
        thing.otherNames = facts.otherNames(category)
        thing.kind = told?.kind ?? facts.kinds.first ?? ""
        thing.details = category.hasDetails ? facts.details.sorted() : []
        return thing
    }
}

extension PlaceCategory {
    /// True if details such as fuels, sockets or heights are stored for the category.
    fileprivate var hasDetails: Bool { [.fuel, .charging, .parking, .peak].contains(self) }
}

/// The searchable attributes of a feature.
private struct SearchFacts {
    private var usualName = ""
    private var others: [(rank: Int, name: String)] = []
    private var ranked: [(rank: Int, kind: String)] = []
    var ref = ""
    var number = ""
    var street = ""
    var details: [String] = []
    var hasShop = false

    private static let limit = 160

    var isEmpty: Bool { name.isEmpty && ranked.isEmpty && number.isEmpty }
    /// The classes, the most specific first.
    var kinds: [String] { ranked.sorted { $0.rank < $1.rank }.map(\.kind) }
    var name: String { usualName.isEmpty ? others.min { $0.rank < $1.rank }?.name ?? "" : usualName }

    mutating func take(_ value: VectorValue, _ attribute: SearchAttribute, key: String) {
        let text = SafeText.sanitised(value.text, limit: SearchFacts.limit)
        guard !text.isEmpty else { return }
        switch attribute {
        case .ignored: break
        case .name: usualName = text
        case .otherName(let rank): others.append((rank, text))
        case .kind(let rank):
            if key == "shop" { hasShop = true }
            // Most classes are one word. Replacing in each took half of the time to read a tile's features.
            let kind = text.lowercased(), isOneWord = !kind.utf8.contains(UInt8(ascii: " "))
            ranked.append((rank, isOneWord ? kind : kind.replacing(" ", with: "_")))
        case .houseNumber: number = String(text.prefix(20))
        case .street: street = text
        case .ref: ref = text
        case .detail: details.append("\(key)=\(text)")
        }
    }

    func otherNames(_ category: PlaceCategory) -> [String] {
        guard !others.isEmpty || category == .street else { return [] }
        let all =
            others.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }.map(\.name)
            + (category == .street && !ref.isEmpty ? [ref] : [])
        var names: Set = [name]
        return all.filter { names.insert($0).inserted }
    }
}
