internal import Rhumb

/// A JSON key of version 0.1 that is still written beside its successor.
struct OldKey: Sendable {
    let name: String
    /// The first words of the commands that wrote it.
    let command: String
    /// Returns the value from an object with the current keys; nil if there was none.
    let value: @Sendable (JSONObject) -> JSON?

    /// True while ranges such as `zooms` are also written as arrays. Delete it with the list below.
    static let hasRanges = true

    /// All old keys. Delete this list, and "Old keys" in the manual, with the next release.
    static let all: [OldKey] = [
        .seconds("created", "region", "createdAt"), .seconds("changed", "region", "changedAt"),
        .seconds("expires", "region", "expiresAt"), .seconds("received", "region", "receivedAt"),
        .seconds("received", "cache", "receivedAt"), .seconds("expires", "cache", "expiresAt"),
        .seconds("used", "cache", "usedAt"), OldKey("size", "cache list", "bytes"),
        OldKey("size", "cache why", "bytes"),
        OldKey("kept", "cache prefetch", "cached"), OldKey("room", "cache prefetch", "quotaBytes"),
        .messages("faults", "cache verify"), .messages("faults", "region check"),
        .messages("faults", "region verify"),
        OldKey("seconds", "region plan", "duration"), OldKey("freeDisk", "region plan", "freeBytes"),
        .seconds("changed", "style pack", "changedAt"), .seconds("expires", "style pack", "expiresAt"),
        OldKey("removed", "style pack remove", "address"),
        OldKey("layers", "style sets") { members in
            guard let types = members["layerTypes"]?.array else { return nil }
            let counts = types.reduce(into: JSONObject()) { $0[$1["type"]?.string ?? ""] = $1["count"] }
            return .object(counts)
        },
        OldKey("minzoom", "source list", "minZoom"), OldKey("maxzoom", "source list", "maxZoom"),
        OldKey("zooms", "source show") { members in
            guard let lowest = members["minZoom"]?.int, let highest = members["maxZoom"]?.int else {
                return nil
            }
            return .string("\(lowest)-\(highest)")
        },
        OldKey("modes", "source show") { members in
            members["travelModes"]?.array.map { .string($0.compactMap(\.string).joined(separator: ", ")) }
        },
        OldKey("cache-control", "source check", "cacheControl"),
        OldKey("last-modified", "source check", "lastModified"),
        OldKey("kept", "source check", "caching"),
        .rounded("metres", "search", "distance"), OldKey("degrees", "search", "bearing"),
        .rounded("metresFromNearest", "search", "nearestDistance"),
        // rhumb render --route reads these two keys.
        .seconds("time", "route", "receivedAt"),
        OldKey("places", "route") { members in
            members["waypoints"]?.array.map {
                .array($0.map { [$0["latitude"] ?? .null, $0["longitude"] ?? .null] })
            }
        },
        .seconds("start", "track stats", "startAt"), .seconds("end", "track stats", "endAt"),
    ]
}

extension OldKey {
    private init(_ name: String, _ command: String, _ value: @escaping @Sendable (JSONObject) -> JSON?) {
        self.name = name
        self.command = command
        self.value = value
    }

    /// Creates a key with the same value as its successor.
    private init(_ name: String, _ command: String, _ successor: String) {
        self.init(name, command) { $0[successor] }
    }

    /// Creates a key with seconds since 1970 instead of a time in ISO 8601.
    private static func seconds(_ name: String, _ command: String, _ successor: String) -> OldKey {
        OldKey(name, command) { members in
            members[successor].map { time in
                guard let text = time.string, case .moment(let seconds)? = MapTime(text) else { return .null }
                return .integer(Int(seconds))
            }
        }
    }

    /// Creates a key with an integer instead of a number.
    private static func rounded(_ name: String, _ command: String, _ successor: String) -> OldKey {
        OldKey(name, command) { members in
            members[successor].map { number in number.double.map { .integer(Int(clamping: $0)) } ?? .null }
        }
    }

    /// Creates a key with sentences instead of problem objects.
    private static func messages(_ name: String, _ command: String) -> OldKey {
        OldKey(name, command) { members in
            members["problems"]?.array.map { .array($0.map { $0["message"] ?? .null }) }
        }
    }
}
