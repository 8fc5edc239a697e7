internal import RhumbBase

/// The meanings of a table's columns, from the names in its first line.
struct TableColumns: Sendable {
    let separator: UInt8
    private let names: [String]
    private let latitude: Int, longitude: Int
    private let title: Int?, id: Int?, time: Int?, colour: Int?, glyph: Int?, heading: Int?

    private static let latitudes: Set<String> = ["lat", "latitude", "y", "breite", "breitengrad"]
    private static let longitudes: Set<String> = [
        "lon", "lng", "long", "longitude", "x", "laenge", "längengrad",
    ]

    /// Parses a header line; nil if it doesn't name a latitude and a longitude.
    init?(_ line: Bytes) {
        let separators = [UInt8(ascii: "\t"), UInt8(ascii: ";"), UInt8(ascii: ",")]
        guard let separator = separators.first(where: line.contains) else { return nil }
        let names = TableColumns.fields(line, separator).map { $0.trimmed },
            low = names.map { $0.lowercased() }
        guard let latitude = low.firstIndex(where: Self.latitudes.contains),
            let longitude = low.firstIndex(where: Self.longitudes.contains)
        else { return nil }
        self.separator = separator
        self.names = names
        self.latitude = latitude
        self.longitude = longitude
        func column(_ words: String...) -> Int? { low.firstIndex { words.contains($0) } }
        title = column("name", "label", "title")
        id = column("id", "mmsi")
        time = column("time", "timestamp", "date")
        heading = column("heading", "course", "track", "bearing")
        colour = column("colour", "color", "marker-color")
        glyph = column("glyph", "symbol")
    }

    /// Reads a row as a feature.
    func feature(_ row: Bytes, _ looks: inout OverlayStyleBuilder) throws(InputFault) -> OverlayFeature {
        let fields = TableColumns.fields(row, separator), comma = separator != UInt8(ascii: ",")
        func number(_ at: Int?) -> Double? {
            at.flatMap { $0 < fields.count ? fields[$0].number(comma: comma) : nil }
        }
        func text(_ at: Int?) -> String { at.map { $0 < fields.count ? fields[$0] : "" } ?? "" }
        guard let latitude = number(latitude), let longitude = number(longitude) else {
            throw InputFault("latitude or longitude is not a number")
        }
        let point = try GeoJSONFeatures.world(longitude, latitude)
        if colour != nil, !text(colour).isEmpty { looks.take("stroke", text(colour)) }
        if glyph != nil, !text(glyph).isEmpty { looks.take("glyph", text(glyph)) }
        var packed: [UInt8] = []
        for (name, value) in zip(names, fields) where !value.isEmpty {
            OverlayAttributes.append(name.utf8, value.utf8, to: &packed)
        }
        let time = text(time), moment = time.withBytes { $0.moment ?? $0.number() } ?? .nan
        return OverlayFeature(
            .point(point), id: text(id), name: text(title), look: looks.finish(), time: moment,
            heading: number(heading) ?? .nan,
            attributes: OverlayAttributes(packed: packed))
    }

    /// Splits a line into fields. A quoted field may contain the separator, and a doubled quote stands for
    /// one.
    static func fields(_ line: Bytes, _ separator: UInt8) -> [String] {
        var fields: [String] = [], at = 0
        let quote = UInt8(ascii: "\"")
        while at <= line.count {
            if at < line.count, line[at] == quote {
                var text: [UInt8] = []
                at += 1
                while at < line.count {
                    if line[at] == quote {
                        guard at + 1 < line.count, line[at + 1] == quote else { break }
                        at += 1
                    }
                    text.append(line[at])
                    at += 1
                }
                while at < line.count, line[at] != separator { at += 1 }
                fields.append(String(decoding: text, as: UTF8.self))
            } else {
                let start = at
                while at < line.count, line[at] != separator { at += 1 }
                fields.append(line.part(start..<at).trimmed.text)
            }
            at += 1
        }
        return fields
    }
}

extension String {
    func number(comma: Bool) -> Double? { withBytes { $0.trimmed.number(comma: comma) } }

    func withBytes<Outcome>(_ body: (Bytes) -> Outcome) -> Outcome {
        var text = self
        return text.withUTF8 { body($0) }
    }
}
