internal import RhumbBase

/// The parts of a GPX 1.1 document as text.
public enum GPXText {
    private static let lineEnd = "  </trkseg></trk>\n", documentEnd = "</gpx>\n"
    /// The end of a document with a track.
    public static let trackEnd = lineEnd + documentEnd

    /// Returns the start of a document.
    public static func start(creator: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"\(escaped(creator))\" "
            + "xmlns=\"http://www.topografix.com/GPX/1/1\">\n"
    }

    /// Returns the start of a track, before its first point.
    public static func trackStart(name: String) -> String {
        "  <trk><name>\(escaped(name))</name><trkseg>\n"
    }

    /// Returns a point of a track.
    /// - Parameters:
    ///   - height: Metres above sea level; NaN if unknown.
    ///   - time: Seconds since 1970, written to the millisecond; NaN if unknown.
    public static func trackPoint(_ place: Coordinate, height: Double, time: Double = .nan) -> String {
        var facts = height.isNaN ? "" : "<ele>\(height.plain(1))</ele>"
        if !time.isNaN { facts += "<time>\(text(of: time))</time>" }
        return "    <trkpt \(attributes(place))" + (facts.isEmpty ? "/>\n" : ">\(facts)</trkpt>\n")
    }

    /// Returns a time in ISO 8601, such as "2026-11-22T18:05:09.25Z". Receivers report several points a
    /// second.
    private static func text(of time: Double) -> String {
        let (seconds, milliseconds) = Int64(clamping: (time * 1000).rounded()).flooredDivision(by: 1000)
        let text = UnixSeconds(seconds).iso8601
        guard milliseconds > 0 else { return text }
        return "\(text.dropLast())\((Double(milliseconds) / 1000).plain(3).dropFirst())Z"
    }

    /// Returns a document of lines with their heights and times.
    /// - Parameter lines: The names of the lines, and the segments of each.
    public static func document(_ lines: [(name: String, paths: [OverlayPath])], creator: String) -> String {
        var text = start(creator: creator)
        for (name, paths) in lines {
            let segments = paths.map { path in
                path.points.indices.map { at in
                    trackPoint(
                        Mercator.coordinate(onPlane: WorldPoint(x: path.points[at].x, y: path.points[at].y)),
                        height: path.heights.isEmpty ? .nan : Double(path.heights[at]),
                        time: path.times.isEmpty ? .nan : path.times[at])
                }.joined()
            }
            text += trackStart(name: name) + segments.joined(separator: "  </trkseg><trkseg>\n") + lineEnd
        }
        return text + documentEnd
    }

    /// Returns the attributes of a point.
    public static func attributes(_ place: Coordinate) -> String {
        "lat=\"\(place.latitude.plain())\" lon=\"\(place.longitude.plain())\""
    }

    /// Returns a text with the markup characters of XML escaped, and without the control characters that XML
    /// can't contain.
    public static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\t", "\n", "\r", " "...: escaped.unicodeScalars.append(scalar)
            default: break
            }
        }
        return escaped
    }
}
