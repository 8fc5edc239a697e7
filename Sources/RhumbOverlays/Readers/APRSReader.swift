internal import Glibc
internal import RhumbBase
internal import RhumbGeo

/// Reads APRS packets as sent by APRS-IS servers, "CALL>DEST,PATH:…", as in APRS 1.0.1 and 1.2: uncompressed,
/// compressed and Mic-E positions, NMEA sentences, objects and items.
struct APRSReader: Sendable {
    /// Returns true if a line looks like a packet: a sender, ">", a path and a colon. The packet of a third
    /// party may begin it.
    static func isPacket(_ line: Bytes) -> Bool {
        let line = line.first == thirdParty ? line.part(1..<line.count) : line
        guard let arrow = line.prefix(10).firstIndex(of: UInt8(ascii: ">")), arrow >= 2,
            let colon = line.firstIndex(of: UInt8(ascii: ":")), arrow + 1 < colon,
            !line.part(arrow + 1..<colon).contains(0x20)
        else { return false }
        return line.prefix(arrow).allSatisfy { letter in
            letter == UInt8(ascii: "-") || letter &- 0x30 < 10
                || letter | 0x20 >= UInt8(ascii: "a") && letter | 0x20 <= UInt8(ascii: "z")
        }
    }

    /// Begins a packet within another, or without the header of the station that forwards it.
    private static let thirdParty = UInt8(ascii: "}")

    /// Reads a packet. One that ends an object or item removes its feature.
    /// - Returns: nil if the packet has no position.
    /// - Throws: `InputFault` if the packet is invalid.
    func read(
        _ line: Bytes, _ sink: inout FeatureSink, depth: Int = 0
    ) throws(InputFault) -> OverlayFeature? {
        if line.first == Self.thirdParty {
            return depth == 0 ? try read(line.part(1..<line.count), &sink, depth: 1) : nil
        }
        guard let arrow = line.firstIndex(of: UInt8(ascii: ">")),
            let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > arrow,
            colon + 1 < line.count
        else { throw InputFault("APRS packet without content") }
        let sender = line.part(0..<arrow).text, way = line.part(arrow + 1..<colon),
            text = line.part(colon + 1..<line.count)
        let rest = text.part(1..<text.count)
        switch text[0] {
        case UInt8(ascii: "!"), UInt8(ascii: "="): return try feature(sender, rest)
        case UInt8(ascii: "/"), UInt8(ascii: "@"):
            return rest.count > 7 ? try feature(sender, rest.part(7..<rest.count)) : nil
        case UInt8(ascii: "`"), UInt8(ascii: "'"), 0x1C, 0x1D: return try micE(sender, way, rest)
        case UInt8(ascii: ";"):
            // An object has a name of nine letters, "*" if it is live or "_" if it has ended, and a time.
            guard rest.count > 9 else { return nil }
            let name = rest.part(0..<9).trimmed.text
            if rest[9] == UInt8(ascii: "_") { sink.remove(id: Self.id(name)) }
            guard rest.count > 17, rest[9] == UInt8(ascii: "*") else { return nil }
            return try feature(name, rest.part(17..<rest.count), by: sender)
        case UInt8(ascii: ")"):
            guard let end = rest.prefix(10).firstIndex(where: "!_".utf8.contains), end >= 3 else {
                return nil
            }
            let name = rest.part(0..<end).trimmed.text
            if rest[end] == UInt8(ascii: "_") { sink.remove(id: Self.id(name)) }
            guard rest[end] == UInt8(ascii: "!") else { return nil }
            return try feature(name, rest.part(end + 1..<rest.count), by: sender)
        case UInt8(ascii: "$"): return try sentence(sender, text)
        case Self.thirdParty: return depth == 0 ? try read(rest, &sink, depth: 1) : nil
        case 0x20, UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            return try embedded(sender, text)
        default: return nil
        }
    }

    /// Reads the position after "!" within the first 40 letters, as chapter 5 of APRS 1.0.1 allows; nil if
    /// there is none, because text may also contain exclamation marks.
    private func embedded(_ sender: String, _ text: Bytes) throws(InputFault) -> OverlayFeature? {
        guard !text.begins(with: "T#"), let mark = text.prefix(40).firstIndex(of: UInt8(ascii: "!")) else {
            return nil
        }
        let rest = text.part(mark + 1..<text.count)
        let isPacked = rest.first.map("/\\".utf8.contains) ?? false
        guard let report = isPacked ? packed(rest) : written(rest) else { return nil }
        return try feature(sender, report, by: "")
    }

    private static func id(_ name: String) -> String { "aprs \(name)" }

    // MARK: Positions

    /// Reads a sentence that a station forwards from its receiver.
    private func sentence(_ sender: String, _ text: Bytes) throws(InputFault) -> OverlayFeature? {
        var receiver = NMEAReader(isLive: true), sink = FeatureSink()
        try receiver.read(text, into: &sink)
        receiver.finish(into: &sink)
        guard let fix = sink.fixes.last, let place = fix.place else { return nil }
        let report = Report(
            latitude: place.latitude, longitude: place.longitude, course: fix.heading,
            speed: fix.speed.map { $0 * 3600 / 1852 }, height: fix.height)
        return try feature(sender, report, by: "")
    }

    /// The contents of a station's report.
    private struct Report {
        var latitude = 0.0, longitude = 0.0, symbol = ""
        var course: Double?, speed: Double?, height: Double?
        var comment = ""
    }

    private func feature(
        _ name: String, _ text: Bytes, by sender: String = ""
    ) throws(InputFault) -> OverlayFeature? {
        guard let first = text.first else { return nil }
        guard let report = first &- 0x30 < 10 ? written(text) : packed(text) else {
            throw InputFault("APRS packet without a valid position")
        }
        return try feature(name, report, by: sender)
    }

    private func feature(
        _ name: String, _ report: Report, by sender: String
    ) throws(InputFault) -> OverlayFeature {
        var report = report
        takeHeight(&report)
        func whole(_ value: Double?, _ unit: String) -> String {
            value.map { "\(Int(clamping: $0))\(unit)" } ?? ""
        }
        let facts = [
            ("speed", whole(report.speed.map { $0 * 1.852 }, " km/h")), ("course", whole(report.course, "°")),
            ("height", whole(report.height, " m")),
            ("symbol", report.symbol), ("comment", report.comment), ("by", sender),
        ]
        var packed: [UInt8] = []
        for (name, value) in facts where !value.isEmpty {
            OverlayAttributes.append(name.utf8, value.utf8, to: &packed)
        }
        let isMoving = (report.speed ?? 0) > 0
        return OverlayFeature(
            .point(try GeoJSONFeatures.world(report.longitude, report.latitude)), id: Self.id(name),
            name: name,
            heading: isMoving ? report.course ?? .nan : .nan, attributes: OverlayAttributes(packed: packed))
    }

    /// Parses an uncompressed position such as "4903.50N/07201.75W-", optionally followed by "088/036".
    private func written(_ text: Bytes) -> Report? {
        guard text.count >= 19, let latitude = Self.degrees(text.part(0..<7), 2),
            let longitude = Self.degrees(text.part(9..<17), 3), latitude <= 90, longitude <= 180
        else { return nil }
        let northOrSouth = text[7] | 0x20, eastOrWest = text[17] | 0x20
        guard "ns".utf8.contains(northOrSouth), "ew".utf8.contains(eastOrWest) else { return nil }
        let isSouth = northOrSouth == UInt8(ascii: "s"), isWest = eastOrWest == UInt8(ascii: "w")
        var report = Report()
        report.latitude = isSouth ? -latitude : latitude
        report.longitude = isWest ? -longitude : longitude
        report.symbol = String(decoding: [text[8], text[18]], as: UTF8.self)
        var rest = text.part(19..<text.count)
        if rest.count >= 7, rest[3] == UInt8(ascii: "/"), let course = rest.part(0..<3).digits,
            let speed = rest.part(4..<7).digits
        {
            report.course = Double(course)
            report.speed = Double(speed)
            rest = rest.part(7..<rest.count)
        }
        report.comment = rest.text
        return report
    }

    /// Parses degrees and minutes. Spaces replace withheld digits; the result is then the middle of the
    /// possible range.
    private static func degrees(_ text: Bytes, _ digits: Int) -> Double? {
        var letters = Array(text)
        if let first = letters.firstIndex(of: UInt8(ascii: " ")) {
            for at in letters.indices where letters[at] == UInt8(ascii: " ") {
                letters[at] = UInt8(ascii: at > first ? "0" : first == digits ? "3" : "5")
            }
        }
        return letters.withUnsafeBufferPointer { letters in
            guard let whole = letters.part(0..<digits).digits,
                let minutes = letters.part(digits..<letters.count).number(), minutes < 60
            else { return nil }
            return Double(whole) + minutes / 60
        }
    }

    /// Parses a compressed position: a table, four letters each of latitude and longitude, a symbol, and two
    /// letters of course and speed or of height.
    private func packed(_ text: Bytes) -> Report? {
        guard text.count >= 13, let y = Self.base91(text.part(1..<5)), let x = Self.base91(text.part(5..<9))
        else { return nil }
        var report = Report()
        report.latitude = 90 - Double(y) / 380_926
        report.longitude = Double(x) / 190_463 - 180
        report.symbol = String(decoding: [text[0], text[9]], as: UTF8.self)
        let c = text[10]
        let s = text[11]
        let kind = text[12] &- 33
        if c != UInt8(ascii: " "), c >= 33, s >= 33 {
            if kind & 0x18 == 0x10 {
                report.height = pow(1.002, Double(Int(c - 33) * 91 + Int(s - 33))) * 0.3048
            } else if c <= UInt8(ascii: "z") {
                report.course = Double(c - 33) * 4
                report.speed = pow(1.08, Double(s - 33)) - 1
            }
        }
        report.comment = text.part(13..<text.count).text
        return report
    }

    private static func base91(_ letters: Bytes) -> Int? {
        var value = 0
        for letter in letters {
            guard (33...123).contains(letter) else { return nil }
            value = value * 91 + Int(letter - 33)
        }
        return value
    }

    // MARK: Mic-E

    /// Reads a Mic-E packet, with the latitude in the destination address and the rest in the text.
    private func micE(_ sender: String, _ way: Bytes, _ text: Bytes) throws(InputFault) -> OverlayFeature? {
        guard way.count >= 6, text.count >= 8 else { throw InputFault("Mic-E packet too short") }
        let address = Array(way.part(0..<6))
        guard let latitude = Self.latitude(address), Self.isPosition(text) else {
            throw InputFault("Mic-E packet without a valid position")
        }
        let isCustom = address.map { $0 >= UInt8(ascii: "P") }, raw = text.prefix(6).map { Int($0) - 28 }
        var report = Report()
        report.latitude = isCustom[3] ? latitude.degrees : -latitude.degrees
        var degrees = raw[0] + (isCustom[4] ? 100 : 0)
        if (180...189).contains(degrees) {
            degrees -= 80
        } else if (190...199).contains(degrees) {
            degrees -= 190
        }
        let minutes = Self.middle(
            ofMinutes: Double(raw[1] % 60) + Double(raw[2]) / 100, withheld: latitude.withheld)
        report.longitude = (Double(degrees) + minutes / 60) * (isCustom[5] ? -1 : 1)
        let knots = raw[3] * 10 + raw[4] / 10, course = raw[4] % 10 * 100 + raw[5]
        report.speed = Double(knots >= 800 ? knots - 800 : knots)
        report.course = Double(course >= 400 ? course - 400 : course)
        report.symbol = String(decoding: [text[7], text[6]], as: UTF8.self)
        let comment = text.part(8..<text.count)
        // Three letters before "}" encode the height.
        if let brace = comment.prefix(6).firstIndex(of: UInt8(ascii: "}")), brace >= 3,
            let height = Self.base91(comment.part(brace - 3..<brace))
        {
            report.height = Double(height - 10_000)
        }
        report.comment = comment.text
        return try feature(sender, report, by: "")
    }

    /// Returns true if the text has the bytes that chapter 10 of APRS 1.0.1 allows for the longitude, speed,
    /// course and symbol. Without a fix, trackers send spaces.
    private static func isPosition(_ text: Bytes) -> Bool {
        let ranges: [ClosedRange<UInt8>] = [
            38...127, 38...97, 28...127, 28...127, 28...125, 28...127, 33...126,
        ]
        let table = text[7], isOverlay = table &- 0x30 < 10 || table &- 0x41 < 26
        return zip(text, ranges).allSatisfy { $1.contains($0) } && (isOverlay || "/\\".utf8.contains(table))
    }

    /// Parses the latitude in an address: degrees, and the number of digits that are withheld, from the last
    /// one.
    private static func latitude(_ address: [UInt8]) -> (degrees: Double, withheld: Int)? {
        var digits: [Int] = [], withheld = 0
        for (at, letter) in address.enumerated() {
            switch letter {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(Int(letter) - 48)
            case UInt8(ascii: "A")...UInt8(ascii: "J") where at < 3: digits.append(Int(letter) - 65)
            case UInt8(ascii: "P")...UInt8(ascii: "Y"): digits.append(Int(letter) - 80)
            case UInt8(ascii: "K") where at < 3, UInt8(ascii: "L"), UInt8(ascii: "Z"):
                digits.append(0)
                withheld += 1
                continue
            default: return nil
            }
            if withheld > 0 { return nil }
        }
        guard digits.count == 6, withheld <= 4 else { return nil }
        let minutes = Double(digits[2] * 10 + digits[3]) + Double(digits[4] * 10 + digits[5]) / 100
        let whole = Double(digits[0] * 10 + digits[1])
        guard minutes < 60, whole + minutes / 60 <= 90 else { return nil }
        return (whole + middle(ofMinutes: minutes, withheld: withheld) / 60, withheld)
    }

    /// Returns the middle of the range that withheld digits of minutes leave open.
    private static func middle(ofMinutes minutes: Double, withheld: Int) -> Double {
        guard withheld > 0 else { return minutes }
        let step = [0.1, 1, 10, 60][min(withheld, 4) - 1]
        return ((minutes / step + 1e-9).rounded(.down) + 0.5) * step
    }

    /// Extracts the height in feet from a comment such as "/A=001234".
    private func takeHeight(_ report: inout Report) {
        guard let mark = report.comment.range(of: "/A="),
            case let digits = report.comment[mark.upperBound...].prefix(6), digits.utf8.count == 6,
            let feet = Int(digits)
        else { return }
        report.height = Double(feet) * 0.3048
        report.comment.removeSubrange(mark.lowerBound..<digits.endIndex)
    }
}

extension String {
    /// Returns the first range of a text; nil if there is none.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
