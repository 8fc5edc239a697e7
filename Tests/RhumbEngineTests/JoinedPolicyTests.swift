import RhumbCore
import RhumbEngine
import Testing

struct JoinedPolicyTests {
    /// Policies in which each rule is at its loosest and at its strictest.
    private static let policies: [SourcePolicy] = {
        let loose = SourcePolicy.unlimited
        var found = [loose]
        let changes: [(inout SourcePolicy) -> Void] = [
            { $0.lookAhead = false }, { $0.archives = false }, { $0.sharedCache = false },
            { $0.needsAgreement = true }, { $0.connections = 1 }, { $0.requestsPerSecond = 0.5 },
            { $0.minimumCacheSeconds = 604_800 }, { $0.packLimit = 10 }, { $0.offline = .ask },
            { $0.offline = .denied },
        ]
        for change in changes {
            var policy = loose
            change(&policy)
            found.append(policy)
        }
        return found
    }()

    @Test(arguments: policies.indices, policies.indices)
    func `a joined policy has the stricter rule of both, in either order`(first: Int, second: Int) {
        let a = Self.policies[first], b = Self.policies[second]
        for joined in [a.joined(with: b), b.joined(with: a)] {
            #expect(joined.lookAhead == (a.lookAhead && b.lookAhead))
            #expect(joined.archives == (a.archives && b.archives))
            #expect(joined.sharedCache == (a.sharedCache && b.sharedCache))
            #expect(joined.needsAgreement == (a.needsAgreement || b.needsAgreement))
            #expect(joined.connections == min(a.connections, b.connections))
            #expect(
                (joined.requestsPerSecond == 0.5)
                    == (a.requestsPerSecond == 0.5 || b.requestsPerSecond == 0.5))
            #expect(joined.minimumCacheSeconds == max(a.minimumCacheSeconds, b.minimumCacheSeconds))
            #expect((joined.packLimit == 10) == (a.packLimit == 10 || b.packLimit == 10))
            let isDenied = a.offline == .denied || b.offline == .denied
            let isAsked = a.offline == .ask || b.offline == .ask
            #expect(joined.offline == (isDenied ? .denied : isAsked ? .ask : .allowed))
        }
    }
}
