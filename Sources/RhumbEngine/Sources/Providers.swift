internal import RhumbCore
internal import Synchronization

/// The known providers by their hosts: their policies and keys. They apply to every address of such a host.
public struct Providers: Sendable {
    private struct Entry: Sendable {
        let domain: String
        let policy: SourcePolicy
        /// True if it is built in, so that neither the user nor a document can lift it.
        let isShipped: Bool
    }

    private struct Contents: Sendable {
        var entries: [Entry] = []
        var keys: [SourceDefinition.Key] = []
    }

    /// The rules of the built-in providers of a server.
    private struct Rules: Sendable {
        let domain: String?
        let policy: SourcePolicy?
    }

    /// The rules of recent servers by origin, because each request needs them several times.
    private final class RecentRules: Sendable {
        private let rules = Mutex<[String: Rules]>([:])
        private static let limit = 100

        subscript(origin: String) -> Rules? { rules.withLock { $0[origin] } }

        func add(_ found: Rules, of origin: String) {
            rules.withLock { rules in
                if rules.count >= RecentRules.limit { rules.removeAll() }
                rules[origin] = found
            }
        }
    }

    private let contents: Lazy<Contents>
    private let recent = RecentRules()

    /// - Parameters:
    ///   - shipped: The built-in sources.
    ///   - own: The sources of the user's configuration.
    public init(shipped: [SourceDefinition] = [], own: [SourceDefinition] = []) {
        self.init { (shipped, own) }
    }

    /// - Parameter sources: Returns the built-in and the user's sources; called when they are needed.
    package init(_ sources: @escaping @Sendable () -> (shipped: [SourceDefinition], own: [SourceDefinition]))
    {
        contents = Lazy {
            let (shipped, own) = sources()
            var contents = Contents()
            for source in own + shipped {
                let isShipped = shipped.contains(source)
                for domain in Providers.domains(source) {
                    contents.entries.append(
                        Entry(domain: domain, policy: source.policy, isShipped: isShipped))
                }
                contents.keys += source.keys
            }
            return contents
        }
    }

    /// Returns the fixed endings of a source's hosts, after any placeholders. Loopback and private addresses
    /// include a port that is not the usual one, because other servers may share the host.
    private static func domains(_ source: SourceDefinition) -> Set<String> {
        let templates = (try? source.templates()) ?? []
        return Set(
            templates.compactMap { template in
                let reference = URLReference(template.canonical), name = reference.host ?? ""
                if reference.isPrivate { return Providers.authority(reference.origin) }
                let fixed = name.split(separator: ".").drop { $0.contains("{") }.joined(separator: ".")
                return fixed.isEmpty ? nil : fixed
            })
    }

    /// Returns the host and port of an origin.
    private static func authority(_ origin: String) -> String {
        origin.firstRange(of: "//").map { String(origin[$0.upperBound...]) } ?? origin
    }

    // MARK: Rules

    /// Returns the domain of the built-in provider of a server; nil if it has none.
    /// - Parameter origin: Scheme, host and port, as in `HTTPAddress.origin`.
    public func domain(ofOrigin origin: String) -> String? { rules(ofOrigin: origin).domain }

    /// Returns the strictest policy of a server's built-in providers; nil if there are none.
    /// - Parameter origin: Scheme, host and port, as in `HTTPAddress.origin`.
    public func policy(ofOrigin origin: String) -> SourcePolicy? { rules(ofOrigin: origin).policy }

    private func rules(ofOrigin origin: String) -> Rules {
        if let found = recent[origin] { return found }
        let shipped = entries(origin).filter(\.isShipped)
        let found = Rules(
            domain: shipped.map(\.domain).min { $0.count < $1.count },
            policy: SourcePolicy.joined(shipped.map(\.policy)))
        recent.add(found, of: origin)
        return found
    }

    private func entries(_ origin: String) -> [Entry] {
        let host = URLReference(origin).host ?? "", authority = Providers.authority(origin)
        return contents.value.entries.filter { entry in
            entry.domain == authority
                || host.hasSuffix(entry.domain)
                    && (host.utf8.count == entry.domain.utf8.count
                        || host.utf8.dropLast(entry.domain.utf8.count).last == UInt8(ascii: "."))
        }
    }

    // MARK: Sources

    /// Returns the source as it may be used: by the policies of all hosts that its addresses lead to, and
    /// with the keys known for them.
    public func governed(_ source: SourceDefinition) -> SourceDefinition {
        var governed = source
        governed.policy = policy(of: source)
        for at in governed.keys.indices where governed.keys[at].isOfAddress {
            let asked = governed.keys[at]
            guard
                var key = contents.value.keys.first(where: {
                    $0.token == asked.token && $0.origins.isSuperset(of: asked.origins)
                })
            else { continue }
            key.typed = asked.environment
            governed.keys[at] = key
        }
        return governed
    }

    /// Returns the policy of a source. Its hosts' policies replace a default policy, and are combined with
    /// others.
    private func policy(of source: SourceDefinition) -> SourcePolicy {
        let origins = Set(source.origins)
        let isStated = ![SourcePolicy(), .unlimited, .ownServer].contains(source.policy)
        let found = origins.map { origin in
            policy(ofOrigin: origin) ?? (isStated ? nil : SourcePolicy.joined(entries(origin).map(\.policy)))
        }
        let policies = found.map { $0 ?? source.policy } + (isStated ? [source.policy] : [])
        return SourcePolicy.joined(policies) ?? source.policy
    }
}

extension SourceDefinition.Key {
    /// True for a key that an address requires, named after its servers.
    fileprivate var isOfAddress: Bool { environment.hasPrefix(Self.variablePrefix) }
}

extension SourcePolicy {
    /// Returns the policy that satisfies all of several policies; nil if there are none.
    static func joined(_ policies: [SourcePolicy]) -> SourcePolicy? {
        policies.dropFirst().reduce(policies.first) { $0?.joined(with: $1) }
    }

    /// Returns the policy that satisfies both policies.
    public func joined(with other: SourcePolicy) -> SourcePolicy {
        var joined = other.offline.strictness > offline.strictness ? other : self
        joined.lookAhead = lookAhead && other.lookAhead
        joined.connections = min(connections, other.connections)
        joined.requestsPerSecond = [requestsPerSecond, other.requestsPerSecond].compactMap(\.self).min()
        joined.minimumCacheSeconds = max(minimumCacheSeconds, other.minimumCacheSeconds)
        joined.archives = archives && other.archives
        joined.sharedCache = sharedCache && other.sharedCache
        joined.needsAgreement = needsAgreement || other.needsAgreement
        joined.packLimit = [packLimit, other.packLimit].compactMap(\.self).min()
        joined.policyURL = joined.policyURL ?? policyURL ?? other.policyURL
        joined.reportURL = joined.reportURL ?? reportURL ?? other.reportURL
        return joined
    }
}

extension SourcePolicy.OfflineRight {
    fileprivate var strictness: Int {
        switch self {
        case .allowed: 0
        case .ask: 1
        case .denied: 2
        }
    }
}
