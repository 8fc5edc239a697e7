internal import RhumbBase
internal import RhumbGeo

/// The meanings of a table's columns, from the names in its first line.
struct TableColumns: Sendable {
    /// The columns of a latitude or a longitude.
    private struct Angle {
        let degrees: Int
        var minutes: Int?, seconds: Int?, hemisphere: Int?
    }

    private enum Position {
        case angles(latitude: Angle, longitude: Angle)
        /// A column with WKT, or with a latitude and a longitude.
        case whole(Int)
    }

    let separator: UInt8
    private let names: [String]
    private let position: Position
    private let title: Int?, id: Int?, time: Int?, colour: Int?, glyph: Int?, heading: Int?

    /// The columns that are read, for the message about others.
    static let readable = "lat and lon (also latitude, longitude, y, x, breite, länge, …), coordinates or wkt"

    /// The maximum length of a header in bytes. The search for columns takes quadratic time: 1 MiB of random
    /// bytes took minutes.
    private static let longest = 1 << 14

    /// Parses a header line; nil if it doesn't name a position.
    /// - Parameters:
    ///   - separator: The separator; nil to detect it.
    ///   - isRemark: True if the line may be a sentence, so that only short names are accepted.
    init?(_ line: Bytes, separator given: UInt8? = nil, isRemark: Bool = false) {
        guard line.count <= Self.longest, !line.contains(where: Self.isControl) else { return nil }
        for separator in given.map({ [$0] }) ?? Self.separators where line.contains(separator) {
            let names = Self.fields(line, separator), words = names.map { ColumnName($0) }
            guard let position = Self.position(words) else { continue }
            if case .whole = position, isRemark || separator == 0x20 { continue }
            if isRemark, words.contains(where: { $0.words.count > 2 }) { continue }
            self.separator = separator
            self.names = names
            self.position = position
            func column(_ wanted: String...) -> Int? { words.firstIndex { wanted.contains($0.whole) } }
            title = column(
                "name", "label", "title", "stopname", "nombre", "nome", "nom", "naam", "navn", "namn", "nimi",
                "nazwa", "název", "имя", "название", "名称", "名前")
            id = column("id", "mmsi")
            time = column("time", "timestamp", "datetime", "basedatetime", "date")
            heading = column("heading", "course", "track", "bearing")
            colour = column("colour", "color", "markercolor")
            glyph = column("glyph", "symbol")
            return
        }
        // A column that has both a latitude and a longitude may be the only one.
        let line = line.trimmed, name = Self.fields(line, Self.tab).first ?? ""
        guard !isRemark, !Self.separators.contains(where: line.contains), ColumnName(name).isPosition else {
            return nil
        }
        separator = given ?? Self.tab
        names = [name]
        position = .whole(0)
        title = nil
        id = nil
        time = nil
        colour = nil
        glyph = nil
        heading = nil
    }

    private static let tab = UInt8(ascii: "\t")

    /// Control characters other than tabs and line breaks are in binary data, not in a header. Without this
    /// test, a feed of random bytes kept a core busy for minutes before it was ended.
    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && !(0x09...0x0D).contains(byte) }

    /// A sentence about other columns with a position, which isn't shown; nil if there are none.
    var remark: String? {
        guard case .angles(let latitude, let longitude) = position else { return nil }
        let columns = names.enumerated().filter {
            $0.offset != latitude.degrees && $0.offset != longitude.degrees
        }
        .map { ColumnName($0.element) }.filter { !$0.isPlain }
        // Such as a start and an end.
        let others = columns.compactMap { $0.qualifiers(.longitude) }
        if columns.compactMap({ $0.qualifiers(.latitude) }).contains(where: others.contains) {
            return "the rows have several positions; only the first one is shown"
        }
        let twin = [latitude, longitude].map { names[$0.degrees] }.first { name in
            columns.contains { $0.words == ColumnName(name).words }
        }
        return twin.map { name in
            "several columns are named \"\(SafeText.sanitised(name, limit: 40))\"; the first one is used"
        }
    }

    /// The number of columns.
    var count: Int { names.count }

    static let separators = "\t;,| ".utf8.map(\.self)

    /// Returns true if a line may be a header: several words, and no number.
    static func isHeader(_ line: Bytes, separator given: UInt8? = nil) -> Bool {
        guard line.count <= longest, !line.contains(where: isControl) else { return false }
        let separator = given ?? separators.dropLast().max { fields(line, $0).count < fields(line, $1).count }
        guard let separator, case let names = fields(line, separator), names.count > 1 else { return false }
        return !names.contains { $0.number(comma: true) != nil }
            && names.contains { $0.contains(where: \.isLetter) }
    }

    // MARK: Columns

    private static func position(_ names: [ColumnName]) -> Position? {
        let latitudes = names.map { $0.qualifiers(.latitude) }
        let longitudes = names.map { $0.qualifiers(.longitude) }
        var best: (cost: Int, latitude: Int, longitude: Int)?
        for (latitude, words) in latitudes.enumerated() {
            guard let words else { continue }
            for (longitude, others) in longitudes.enumerated() {
                guard let others, longitude != latitude, words == others || words.count + others.count < 3
                else { continue }
                // Such as start_lat with start_lon, and decimals rather than the original text.
                let cost =
                    (words == others ? 0 : 50) + words.count + others.count
                    + (names[latitude].isPlain || names[longitude].isPlain ? 20 : 0)
                    - (words.contains { $0.hasPrefix("dec") } ? 5 : 0)
                if best.map({ cost < $0.cost }) ?? true { best = (cost, latitude, longitude) }
            }
        }
        if let best {
            return .angles(
                latitude: angle(best.latitude, .latitude, names),
                longitude: angle(best.longitude, .longitude, names))
        }
        return names.firstIndex(where: \.isPosition).map { .whole($0) }
    }

    private static func angle(_ degrees: Int, _ axis: ColumnName.Axis, _ names: [ColumnName]) -> Angle {
        var angle = Angle(degrees: degrees)
        func part(_ words: Set<String>) -> Int? { names.firstIndex { $0.isPart(words, of: axis) } }
        if !Set(names[degrees].words).isDisjoint(with: ["d", "deg", "degree", "degrees", "grad"]) {
            angle.minutes = part(["m", "min", "minute", "minutes"])
            angle.seconds = part(["s", "sec", "second", "seconds"])
        }
        let behind = max(degrees, angle.minutes ?? 0, angle.seconds ?? 0) + 1
        angle.hemisphere = names.indices.first { names[$0].isHemisphere(of: axis, isBehind: $0 == behind) }
        return angle
    }

    // MARK: Rows

    /// Reads a row.
    /// - Parameter hasID: True if rows have ids.
    /// - Returns: Several features if a geometry has several shapes; none for a row of units.
    func features(
        _ row: Bytes, hasID: Bool, _ styleBuilder: inout OverlayStyleBuilder, _ sink: inout FeatureSink
    ) throws(InputFault) -> [OverlayFeature] {
        let fields = TableColumns.fields(row, separator)
        func text(_ at: Int?) -> String { at.map { $0 < fields.count ? fields[$0] : "" } ?? "" }
        let shapes: [OverlayFeature.Shape]
        switch position {
        case .whole(let column):
            shapes = try Self.shapes(text(column), &sink)
            if shapes.isEmpty { sink.emptyFeatures += 1 }
        case .angles(let latitude, let longitude):
            // Tables of ERDDAP have a second line with units.
            if text(latitude.degrees).hasPrefix("degree") { return [] }
            shapes = [.point(try point(fields, latitude, longitude))]
        }
        if !text(colour).isEmpty { styleBuilder.take("stroke", text(colour)) }
        if !text(glyph).isEmpty { styleBuilder.take("glyph", text(glyph)) }
        var packed: [UInt8] = []
        for (name, value) in zip(names, fields) where !value.isEmpty {
            OverlayAttributes.append(name.utf8, value.utf8, to: &packed)
        }
        let moment = text(time).withBytes { $0.moment ?? $0.number() } ?? .nan
        let style = styleBuilder.finish(), attributes = OverlayAttributes(packed: packed)
        return shapes.map { shape in
            OverlayFeature(
                shape, id: hasID ? text(id) : "", name: text(title), style: style, time: moment,
                heading: text(heading).number(comma: true) ?? .nan, attributes: attributes)
        }
    }

    private func point(
        _ fields: [String], _ latitude: Angle, _ longitude: Angle
    ) throws(InputFault) -> WorldPoint {
        guard let y = Self.degrees(latitude, .latitude, fields),
            let x = Self.degrees(longitude, .longitude, fields)
        else {
            func text(_ angle: Angle) -> String { angle.degrees < fields.count ? fields[angle.degrees] : "" }
            throw InputFault(
                "\"\(text(latitude))\", \"\(text(longitude))\" is not a position; use degrees such as 43.7 or 43°42'N"
            )
        }
        guard abs(y) <= 90, GeoJSONFeatures.longitudes.contains(x) else {
            throw InputFault(
                abs(x) <= 90 && abs(y) <= 180
                    ? "latitude \(y) is out of range; are the columns swapped?"
                    : "\(y), \(x) are not degrees; convert projected coordinates with ogr2ogr -t_srs EPSG:4326"
            )
        }
        return try GeoJSONFeatures.world(x, y)
    }

    /// Returns the degrees of an angle; nil if it is invalid.
    private static func degrees(_ angle: Angle, _ axis: ColumnName.Axis, _ fields: [String]) -> Double? {
        func text(_ at: Int) -> String { at < fields.count ? fields[at] : "" }
        func part(_ at: Int?) -> Double? {
            guard let at else { return 0 }
            return text(at).isEmpty
                ? 0 : text(at).number(comma: true).flatMap { (0..<60).contains($0) ? $0 : nil }
        }
        let first = text(angle.degrees)
        guard let minutes = part(angle.minutes), let seconds = part(angle.seconds),
            var degrees = first.number(comma: true)
                ?? ParsedLocation.degrees(first, isLatitude: axis == .latitude)
        else { return nil }
        degrees += (minutes / 60 + seconds / 3600) * (first.hasPrefix("-") ? -1 : 1)
        // A number is no hemisphere, whatever the name of its column.
        guard let column = angle.hemisphere, case let letters = text(column), !letters.isEmpty,
            letters.number(comma: true) == nil
        else { return degrees }
        switch (letters.lowercased().first, axis) {
        case ("n", .latitude), ("e", .longitude): return degrees
        case ("s", .latitude), ("w", .longitude): return -abs(degrees)
        default: return nil
        }
    }

    /// Parses WKT, or a latitude and a longitude, which may be in parentheses.
    private static func shapes(
        _ text: String, _ sink: inout FeatureSink
    ) throws(InputFault) -> [OverlayFeature.Shape] {
        let shapes = try text.withBytes { bytes in
            Result { () throws(InputFault) in try WKTReader.shapes(bytes, &sink) }
        }.get()
        if let shapes { return shapes }
        let plain = text.trimmed.hasPrefix("(") ? String(text.trimmed.dropFirst().prefix { $0 != ")" }) : text
        guard let place = try? ParsedLocation(plain, near: Coordinate(latitude: 0, longitude: 0)) else {
            throw InputFault(
                "\"\(SafeText.sanitised(text, limit: 40))\" is not a position; use WKT, or latitude and longitude"
            )
        }
        return [.point(Mercator.plane(place.coordinate))]
    }

    // MARK: Fields

    /// Splits a line into fields. A quoted field may contain the separator and line breaks, and a doubled
    /// quote stands for one. Fields separated by spaces may be several spaces apart.
    static func fields(_ line: Bytes, _ separator: UInt8) -> [String] {
        let fields = split(line, separator)
        return separator == 0x20 ? fields.filter { !$0.isEmpty } : fields
    }

    private static let quote = UInt8(ascii: "\"")

    private static func split(_ line: Bytes, _ separator: UInt8) -> [String] {
        var fields: [String] = [], at = 0
        while at <= line.count {
            let start = at
            while at < line.count, line[at] == 0x20, separator != 0x20 { at += 1 }
            guard at < line.count, line[at] == quote else {
                at = start
                while at < line.count, line[at] != separator { at += 1 }
                fields.append(line.part(start..<at).trimmed.text)
                at += 1
                continue
            }
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
            at = min(at + 1, line.count)
            let end = at
            while at < line.count, line[at] != separator { at += 1 }
            fields.append(String(decoding: text, as: UTF8.self) + line.part(end..<at).trimmed.text)
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

/// The lines of a row whose quoted fields have line breaks.
struct QuotedRow: Sendable {
    /// The lines so far, with line feeds between them.
    private(set) var bytes: [UInt8]
    /// The number of the first line.
    let line: Int
    private var ends: [FieldEnd]

    /// The maximum size in bytes.
    static let limit = 1 << 20

    /// Returns nil for a line that ends outside quotes.
    /// - Parameter separators: The separators that the table may have.
    init?(_ bytes: Bytes, line: Int, separators: [UInt8]) {
        guard bytes.contains(UInt8(ascii: "\"")) else { return nil }
        ends = separators.map { FieldEnd(bytes, separator: $0) }
        guard ends.contains(where: \.isQuoted) else { return nil }
        self.bytes = Array(bytes)
        self.line = line
    }

    /// Adds the next line.
    /// - Returns: True if the row is complete.
    mutating func append(_ line: Bytes) -> Bool {
        bytes.append(0x0A)
        bytes.append(contentsOf: line)
        for at in ends.indices { ends[at].read(line) }
        return !ends.contains(where: \.isQuoted)
    }

    /// The state at the end of a line.
    private struct FieldEnd: Sendable {
        private enum State { case start, plain, quoted, behindQuote }
        private var state = State.start
        private let separator: UInt8

        init(_ line: Bytes, separator: UInt8) {
            self.separator = separator
            read(line)
        }

        var isQuoted: Bool { state == .quoted }

        mutating func read(_ line: Bytes) {
            for byte in line {
                let isQuote = byte == UInt8(ascii: "\"")
                switch state {
                case .quoted: if isQuote { state = .behindQuote }
                case .behindQuote where isQuote, .start where isQuote: state = .quoted
                case .start where byte == 0x20: break
                default: state = byte == separator ? .start : .plain
                }
            }
        }
    }
}
