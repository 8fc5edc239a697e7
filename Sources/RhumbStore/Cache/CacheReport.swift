public import RhumbCore
public import RhumbEngine

/// The cache's state as text for the terminal and as JSON.
extension CacheStatistics {
    /// The statistics as lines of text.
    public var lines: [String] {
        // An empty file has 200 kB of pages in use, so the size of the bodies is given, too.
        let bodies = AmountText.bytes(rows.reduce(0) { $0.saturatingAdd($1.bytes) })
        let counts =
            "\(AmountText.count(entries, "entry", plural: "entries")) with \(bodies), "
            + "\(AmountText.count(absent)) absent at their source"
        var lines = [SafeText.sanitised(path), "  \(fullness)", "  \(counts)"]
        lines += [CacheStatistics.counts(session, "since start"), CacheStatistics.counts(ever, "ever")]
            .compactMap { $0 }.map { "  " + $0 }
        guard !rows.isEmpty else { return lines }
        let names = OriginNames(rows.compactMap(\.origin))
        return lines + [""]
            + TextTable(
                ["source", "zoom", "entries", "absent", "bytes"], leading: 1,
                rows.map {
                    [
                        $0.origin.map(names.name) ?? $0.name, $0.zoom < 0 ? "" : "\($0.zoom)",
                        AmountText.count($0.entries),
                        AmountText.count($0.absent), AmountText.bytes($0.bytes),
                    ]
                }
            ).lines.map { "  " + $0 }
    }

    /// The space in use, such as "41.2 MiB of 50.0 MiB in use, 42.0 MiB on disk".
    var fullness: String {
        "\(AmountText.bytes(usedBytes)) of \(AmountText.bytes(quota)) in use, \(AmountText.bytes(fileBytes)) on disk"
    }

    /// Returns a line such as "since start: hits 96.1 %, revalidated 41, fetched 118, …"; nil if all counts
    /// are 0.
    public static func counts(_ counts: [CacheCounter: Int], _ title: String) -> String? {
        let labels: [(CacheCounter, String)] = [
            (.staleHit, "stale hits"), (.revalidation, "revalidated"), (.download, "fetched"),
            (.prefetch, "prefetched"), (.failure, "failed"), (.eviction, "evicted"),
        ]
        let parts = labels.filter { (counts[$0.0] ?? 0) > 0 }.map {
            "\($0.1) \(AmountText.count(counts[$0.0] ?? 0))"
        }
        let hits = hitShare(counts).map { ["hits \(AmountText.percent($0))"] } ?? []
        let bytes = (counts[.bytes] ?? 0) > 0 ? ["\(AmountText.bytes(counts[.bytes] ?? 0)) received"] : []
        let all = hits + parts + bytes
        return all.isEmpty ? nil : "\(title): " + all.joined(separator: ", ")
    }

    /// The statistics as JSON.
    public var json: JSON {
        func counts(_ events: [CacheCounter: Int]) -> JSON {
            var object = JSONObject()
            for event in CacheCounter.allCases { object[event.rawValue] = .integer(events[event] ?? 0) }
            return .object(object)
        }
        return [
            "path": .string(path), "quota": .integer(quota), "usedBytes": .integer(usedBytes),
            "fileBytes": .integer(fileBytes), "entries": .integer(entries), "absent": .integer(absent),
            "ever": counts(ever),
            "zooms": .array(
                rows.map {
                    [
                        "source": .string($0.name), "key": $0.origin.map { .string("\($0)") } ?? .null,
                        "zoom": .integer($0.zoom),
                        "entries": .integer($0.entries), "absent": .integer($0.absent),
                        "bytes": .integer($0.bytes),
                    ]
                }),
        ]
    }
}

extension CacheRow {
    /// The name of the tile or document, as the start of a line.
    public var title: String {
        if case .tile(_, let tile) = key { "\(name) \(tile)" } else { name }
    }

    /// Returns the title in a list of entries from several sources.
    public func title(_ names: OriginNames) -> String {
        if case .tile(let origin, let tile) = key { "\(names.name(of: origin)) \(tile)" } else { title }
    }

    /// The origin of a tile; nil for a document.
    public var origin: TileOrigin? { if case .tile(let origin, _) = key { origin } else { nil } }

    /// Returns lines that describe the entry and its freshness.
    public func explanation(at now: UnixSeconds) -> [String] {
        let life = response.freshness
        var lines = [
            title, "  \(storage)", "  fetched \(ago(life.receivedAt, now)), last used \(ago(lastUse, now))",
        ]
        lines.append("  \(verdict(at: now))")
        if let etag = response.validators.etag { lines.append("  ETag \(SafeText.sanitised(etag))") }
        if let date = response.validators.lastModified {
            lines.append("  Last-Modified \(SafeText.sanitised(date))")
        }
        if life.immutable { lines.append("  immutable: not requested again while fresh, even on reload") }
        if let limit = response.staleLimit(\.staleIfError), limit > now {
            let left = AmountText.age(limit.seconds(since: now))
            lines.append("  used for \(left) if its server fails (stale-if-error)")
        }
        lines += CacheStatus(of: response.headers).entries.map { "  shared cache \($0.sentence)" }
        for name in ["Cache-Control", "Expires", "Age", "Vary", "Content-Type"] {
            if let value = response.headers[name] { lines.append("  \(name): \(SafeText.sanitised(value))") }
        }
        if let version = response.dataVersion {
            lines.append("  data version \(SafeText.sanitised(version))")
        }
        lines.append("  key \(SafeText.sanitised("\(key)"))")
        return lines
    }

    private var storage: String {
        guard let size else { return "absent at the source" }
        let shared = twins > 0 ? ", body shared with \(AmountText.count(twins)) others" : ""
        return AmountText.bytes(size) + shared
    }

    /// Returns a sentence on how the entry is used, by its freshness.
    public func verdict(at now: UnixSeconds) -> String {
        let life = response.freshness
        if response.isInvalidated { return "invalidated: revalidated before use; shown without a network" }
        let left = life.lifetime - life.age(at: now)
        switch life.state(at: now) {
        case .fresh: return "fresh for \(AmountText.age(left)): used without a request"
        case .staleUsable:
            let permission = response.staleLimit(\.staleWhileRevalidate).map { limit in
                limit > now
                    ? ", as the server allows for another \(AmountText.age(limit.seconds(since: now)))"
                    : ", although the server's stale-while-revalidate has ended"
            }
            return "stale for \(AmountText.age(-left)): shown at once, and revalidated in the background"
                + (permission ?? "")
        case .mustRevalidate:
            return "revalidated on every use (required by the server); shown without a network"
        }
    }

    private func ago(_ moment: UnixSeconds, _ now: UnixSeconds) -> String {
        "\(AmountText.age(max(now.seconds(since: moment), 0))) ago"
    }

    /// Returns the entry as JSON.
    public func json(at now: UnixSeconds) -> JSON {
        let life = response.freshness
        var object = JSONObject()
        object["key"] = .string("\(key)")
        object["source"] = .string(name)
        if case .tile(_, let tile) = key { object["tile"] = .string("\(tile)") }
        object["state"] = .string(state(at: now).rawValue)
        object["bytes"] = .count(size)
        object["receivedAt"] = .string(life.receivedAt.iso8601)
        object["expiresAt"] = .string(life.expiresAt.iso8601)
        object["usedAt"] = .string(lastUse.iso8601)
        object["etag"] = .text(response.validators.etag)
        object["lastModified"] = .text(response.validators.lastModified)
        object["usableUntil"] =
            .time(response.staleLimit(\.staleWhileRevalidate))
        object["usableAfterErrorsUntil"] =
            .time(response.staleLimit(\.staleIfError))
        object["isImmutable"] = .bool(life.immutable)
        object["sharedCaches"] = .array(
            CacheStatus(of: response.headers).entries.map { .string($0.sentence) })
        object["verdict"] = .string(verdict(at: now))
        return .object(object)
    }
}

extension CacheStatus.Entry {
    /// The part of the cache in words, such as "cdn.example: hit, fresh for 5 min".
    fileprivate var sentence: String {
        let way = isHit ? "hit" : forwardReason.map { "forwarded (\($0))" } ?? "forwarded"
        let life = remainingLife.map {
            $0 < 0 ? "stale for \(AmountText.age(-$0))" : "fresh for \(AmountText.age($0))"
        }
        let parts = [
            way, forwardStatus.map { "HTTP \($0)" }, life, isStored ? "stored" : nil,
            isCollapsed ? "joined with other requests" : nil,
        ]
        return SafeText.sanitised("\(name): " + parts.compactMap(\.self).joined(separator: ", "), limit: 200)
    }
}

/// An entry of the cache as listed.
public struct CacheRow: Sendable, Equatable {
    /// The key of the entry.
    public let key: ResourceKey
    /// The name of the source, or the address of the document.
    public let name: String
    /// The size of the body in bytes; nil if the resource is known not to exist.
    public let size: Int?
    /// The response, without its body.
    public let response: StoredResponse
    /// The time of the last use.
    public let lastUse: UnixSeconds
    /// The number of other entries with an equal body.
    public let twins: Int
}
