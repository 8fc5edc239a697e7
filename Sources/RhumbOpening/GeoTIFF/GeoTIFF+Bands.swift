internal import RhumbCore

/// The bands of a file that are shown, by the roles that GDAL states, or else by those of the TIFF fields.
struct BandRoles {
    /// One band, or red, green and blue; empty if the file states no roles for its many bands.
    let shown: [Int]
    /// The band of opacities; nil if there is none.
    let alpha: GeoTIFF.Alpha?

    init(
        _ file: TIFFFile, _ fields: [UInt16: TIFFFile.Field], _ samples: TIFFSamples,
        _ metadata: TIFFBandMetadata
    ) throws(TIFFProblem) {
        let extra = try file.numbers(fields[338]), plain = samples.count - extra.count
        let isColour = samples.photometric == 2 || samples.photometric == 6
        let colours = ["red", "green", "blue"]
        func kind(_ band: Int) -> Double { extra.indices.contains(band - plain) ? extra[band - plain] : 0 }
        let roles = (0..<min(samples.count, BandRoles.limit)).map { band in
            if let stated = metadata.item("colorinterp", band: band) { return stated.lowercased() }
            if kind(band) == 1 || kind(band) == 2 { return "alpha" }
            return isColour && band < 3 ? colours[band] : ""
        }
        let opacity = samples.count > 1 ? roles.firstIndex(of: "alpha") : nil
        alpha = opacity.map { GeoTIFF.Alpha(band: $0, isAssociated: kind($0) == 1) }
        let stated = colours.compactMap { roles.firstIndex(of: $0) }
        let others = (0..<samples.count).filter { $0 != opacity }
        shown = stated.count == 3 ? stated : others.count == 1 || others.count == 3 ? others : []
    }

    /// The maximum number of bands whose roles are read.
    private static let limit = 1024
}

extension GeoTIFF {
    static func meaning(
        _ file: TIFFFile, _ fields: [UInt16: TIFFFile.Field], _ samples: TIFFSamples, _ roles: BandRoles,
        isHeights: Bool, isTerrain: Bool
    ) throws(TIFFProblem) -> Meaning {
        if isTerrain {
            try checkTerrain(samples, roles, hasLength: isHeights)
            return .heights
        }
        switch samples.photometric {
        case 3:
            guard samples.kind == .unsigned, samples.bits <= 8, samples.count == 1 else {
                throw .unsupported(
                    "its palette has \(AmountText.count(samples.count, "band")) of \(samples.bits) bits",
                    advice: TIFFSamples.remedy(samples.count > 1 ? "-b 1" : "-expand rgba"))
            }
            return .palette(try palette(file, fields, samples.bits))
        case 5: throw .unsupported("its colours are CMYK", advice: TIFFSamples.remedy("-co COMPRESS=DEFLATE"))
        case 6 where samples.compression != .jpeg:
            throw .unsupported(
                "its colours are YCbCr without JPEG", advice: TIFFSamples.remedy("-co COMPRESS=JPEG"))
        case 8, 9, 10:
            throw .unsupported("its colours are CIE Lab", advice: TIFFSamples.remedy("-co COMPRESS=DEFLATE"))
        case 4: throw .unsupported("it is only a mask", advice: "open the file that it belongs to")
        default: break
        }
        guard !roles.shown.isEmpty else {
            let few = samples.count - (roles.alpha == nil ? 0 : 1) < 3
            throw .unsupported(
                "it has \(samples.count) bands",
                advice: few
                    ? "choose one with gdal_translate -of COG -b 1 IN OUT"
                    : "choose three with gdal_translate -of COG -b RED -b GREEN -b BLUE IN OUT, whose numbers "
                        + "the provider states")
        }
        if samples.bits <= 8, samples.kind == .unsigned { return .picture }
        guard roles.shown.count == 1, samples.bits >= 16, samples.kind != .unsigned else { return .values }
        return isHeights ? .heights : .values
    }

    /// Throws the reason why a file has no heights that the user has named as a terrain model.
    private static func checkTerrain(
        _ samples: TIFFSamples, _ roles: BandRoles, hasLength: Bool
    ) throws(TIFFProblem) {
        guard roles.shown.count == 1, samples.photometric <= 1 else {
            throw .unsupported(
                "it has \(AmountText.count(samples.count, "band")) of colours, not one of heights",
                advice: "use a terrain model, or choose its band with gdal_translate -b 1 IN OUT")
        }
        guard samples.bits >= 16 else {
            throw .unsupported(
                "its values of \(samples.bits) bits are those of a picture",
                advice: "if they are heights in metres, convert it with gdal_translate -ot Int16 IN OUT")
        }
        guard hasLength else {
            throw .unsupported(
                "the unit of its values is no known length",
                advice: "if they are heights in metres, set it with gdal_edit -units m FILE")
        }
    }

    private static func palette(
        _ file: TIFFFile, _ fields: [UInt16: TIFFFile.Field], _ bits: Int
    ) throws(TIFFProblem) -> [RGB] {
        let map = try file.numbers(fields[320]), count = 1 << bits
        guard map.count >= count * 3 else { throw .damaged("its palette is incomplete") }
        // Some programs write 8 bits instead of 16.
        let divisor = map.contains { $0 > 255 } ? 257.0 : 1
        func byte(_ at: Int) -> UInt8 { UInt8(clamping: (map[at] / divisor).rounded(.down)) }
        return (0..<count).map {
            RGB(red: byte($0), green: byte($0 + count), blue: byte($0 + count * 2))
        }
    }

    /// Returns the metres per unit of the first band's values: if their unit is metres, or if the user or the
    /// file's name names a terrain model and their unit is a length or missing. Returns nil for other values,
    /// such as temperatures or millimetres of rain.
    static func heightUnit(
        _ file: TIFFFile, _ fields: [UInt16: TIFFFile.Field], _ name: String, _ metadata: TIFFBandMetadata,
        isTerrain: Bool
    ) throws(TIFFProblem) -> Double? {
        let words = name.lowercased().split { !$0.isLetter }
        let names = ["dem", "dsm", "dtm", "dgm", "dom", "elevation", "height", "heights", "srtm", "terrain"]
        let isNamed = isTerrain || words.contains { names.contains(String($0)) }
        if let stated = metadata.item("unittype", band: 0), !stated.isEmpty {
            let unit = TIFFScale.metres(perUnit: stated)
            return unit == 1 || isNamed ? unit : nil
        }
        guard isNamed else { return nil }
        let code = try GeoKeys(file, fields).verticalUnit
        return code.map(TIFFScale.metres(perCode:)) ?? 1
    }
}
