internal import Rhumb
internal import RhumbCommandLine

/// A region, package or style pack with an expiry date.
struct ExpiringItem {
    /// The kind of item; the raw value is the word in JSON.
    enum Kind: String {
        case region, package, stylePack

        /// The kind as text for display.
        var text: String { self == .stylePack ? "style pack" : rawValue }
    }

    let kind: Kind
    /// The region's id or the style's address.
    let id: String
    let name: String
    /// The time at which the first tile or document becomes stale.
    let expires: UnixSeconds

    var json: JSON {
        [
            "kind": .string(kind.rawValue), "id": .string(id), "name": .string(name),
            "expiresAt": .time(expires),
        ]
    }
}

extension RegionStore {
    /// Returns the regions, packages and style packs that expire before a time, earliest first.
    /// - Throws: `RegionStoreFailure`
    func expiringItems(before limit: UnixSeconds) throws(RegionStoreFailure) -> [ExpiringItem] {
        var items: [ExpiringItem] = []
        for record in try regions() {
            guard let expires = try earliestExpiry(of: record) else { continue }
            let kind = record.package == nil ? ExpiringItem.Kind.region : .package
            items.append(ExpiringItem(kind: kind, id: record.id, name: record.name, expires: expires))
        }
        for pack in try stylePacks() {
            guard let expires = pack.expires else { continue }
            items.append(ExpiringItem(kind: .stylePack, id: pack.address, name: pack.name, expires: expires))
        }
        return items.filter { $0.expires < limit }.sorted { $0.expires < $1.expires }
    }
}

extension [ExpiringItem] {
    /// Returns a table of the items, with a heading.
    func table(at now: UnixSeconds) -> [String] {
        let rows = map { item in
            let left = item.expires.seconds(since: now)
            let time = left > 0 ? "in \(AmountText.age(left))" : "\(AmountText.age(-left)) ago"
            return [
                item.kind.text, SafeText.sanitised(item.id, limit: 200), time,
                SafeText.sanitised(item.name, limit: 40),
            ]
        }
        return TextTable(["kind", "id", "expires", "name"], rows).lines
    }
}

extension Invocation {
    /// The value of an option that takes a time span, in seconds; nil if the option is absent.
    /// - Throws: `UsageError`
    func seconds(_ option: Option<String>) throws(UsageError) -> Int64? {
        guard let text = self[option] else { return nil }
        guard let seconds = ParsedLocation.seconds(text) else {
            throw UsageError(
                "invalid value \"\(text)\" for --\(option.name): expected a time, such as 12h or 30d")
        }
        return seconds
    }
}
