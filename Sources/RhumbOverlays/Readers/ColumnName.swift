/// The words of a column's name: "stop_lat", "decimalLatitude" and "Latitude (deg)" have a word for latitude.
struct ColumnName {
    enum Axis { case latitude, longitude }

    /// The words in lower case.
    let words: [String]
    /// All letters and digits in lower case.
    var whole: String { words.joined() }

    init(_ name: String) {
        var words: [String] = [], word = "", before: Character = " "
        let letters = Array(name)
        for (at, letter) in letters.enumerated() {
            let isWord = letter.isLetter || letter.isNumber
            let next = at + 1 < letters.count ? letters[at + 1] : " "
            // A capital begins a word after a small letter, and after capitals before a small letter.
            let begins =
                letter.isUppercase && (before.isLowercase || before.isUppercase && next.isLowercase)
                || letter.isNumber != before.isNumber
            if !isWord || begins, !word.isEmpty {
                words.append(word.lowercased())
                word = ""
            }
            if isWord { word.append(letter) }
            before = letter
        }
        if !word.isEmpty { words.append(word.lowercased()) }
        self.words = words
    }

    /// Returns the other words of a column with degrees; nil for other columns.
    func qualifiers(_ axis: Axis) -> [String]? {
        guard !isHemisphere(of: axis, isBehind: false) else { return nil }
        guard let at = words.firstIndex(where: { Self.isName($0, axis) }) else { return nil }
        var others = words
        let word = others.remove(at: at)
        guard Self.otherFigures.isDisjoint(with: others) else { return nil }
        // Columns named x and y may be anything.
        guard !Self.isPlain(word) || Self.placeWords.isSuperset(of: others) else { return nil }
        return others
    }

    /// True if the name is only x or y, or begins or ends with it.
    var isPlain: Bool { words.contains(where: Self.isPlain) }

    /// True for a column with the minutes or seconds of an axis, whose degrees are in another column.
    func isPart(_ parts: Set<String>, of axis: Axis) -> Bool {
        words.count == 2 && words.contains { Self.isName($0, axis) } && !parts.isDisjoint(with: words)
    }

    /// True for a column with the letters N and S, or E and W.
    /// - Parameter isBehind: True if the column is behind one of the axis.
    func isHemisphere(of axis: Axis, isBehind: Bool) -> Bool {
        let names: Set<String> =
            axis == .latitude ? ["ns", "nors", "northsouth"] : ["ew", "eorw", "eastwest", "we"]
        func isNamed(_ text: some StringProtocol) -> Bool {
            names.contains(String(text)) || Self.hemisphereWords.contains(String(text))
        }
        let whole = whole, rest = words.filter { !Self.isName($0, axis) && !Self.placeWords.contains($0) }
        if names.contains(whole) || isBehind && isNamed(whole) { return true }
        if rest.count < words.count, !rest.isEmpty, isNamed(rest.joined()) || rest.allSatisfy(isNamed) {
            return words.contains { Self.isName($0, axis) }
        }
        // Names without a separator, such as "LATHEM" and "nslat".
        return whole != "xref" && whole != "yref"
            && Self.names(axis).contains { name in
                whole.hasPrefix(name) && isNamed(whole.dropFirst(name.count))
                    || whole.hasSuffix(name) && isNamed(whole.dropLast(name.count))
            }
    }

    /// True for a column with whole positions.
    var isPosition: Bool { Self.positions.contains(whole) }

    private static func isName(_ word: String, _ axis: Axis) -> Bool {
        switch axis {
        case .latitude: latitudes.contains(word) || word.utf8.count >= 8 && word.contains("latitude")
        case .longitude: longitudes.contains(word) || word.utf8.count >= 9 && word.contains("longitude")
        }
    }

    private static func names(_ axis: Axis) -> Set<String> { axis == .latitude ? latitudes : longitudes }

    private static func isPlain(_ word: String) -> Bool { word == "x" || word == "y" }

    private static let latitudes: Set<String> = [
        "lat", "latitude", "latitud", "latitudine", "y", "breite", "breitengrad", "breddgrad", "breddegrad",
        "breedtegraad", "leveysaste", "leveyspiiri", "enlem", "위도", "szerokość", "šířka", "широта", "纬度",
        "緯度",
    ]
    private static let longitudes: Set<String> = [
        "lon", "lng", "long", "longitude", "longitud", "longitudine", "x", "länge", "laenge", "längengrad",
        "laengengrad", "längdgrad", "længdegrad", "lengdegrad", "lengtegraad", "pituusaste", "pituuspiiri",
        "boylam", "경도",
        "długość", "délka", "долгота",
        "经度", "経度", "經度",
    ]
    /// Words that, beside a word for an axis, mean something other than its degrees.
    private static let otherFigures: Set<String> = [
        "error", "err", "accuracy", "acc", "precision", "uncertainty", "std", "stdev", "sd", "sigma",
        "offset",
        "delta", "min", "max", "minute", "minutes", "sec", "second", "seconds", "count", "zone", "ns", "ew",
        "hem", "hemi", "hemisphere", "dir", "direction", "ref",
    ]
    /// Words that, beside x or y, show that it is a position.
    private static let placeWords: Set<String> = [
        "point", "coord", "coords", "coordinate", "coordinates", "geo", "gps", "pos", "position", "location",
        "loc", "wgs", "wgs84", "84", "deg", "degree", "degrees", "dd", "decimal", "gis",
    ]
    private static let hemisphereWords: Set<String> = [
        "hem", "hemi", "hemisphere", "dir", "direction", "ref",
    ]
    private static let positions: Set<String> = [
        "wkt", "geom", "geometry", "thegeom", "shape", "coordinates", "coordinate", "coords", "coord",
        "latlon",
        "latlng", "latlong", "latitudelongitude", "location", "position", "point", "gps", "geo", "geopoint",
        "geopoint2d", "geolocation", "georeference",
    ]
}
