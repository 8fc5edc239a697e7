internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

extension StoredNames {
    /// Prints the names, one per line. Contacts no server. A store that can't be read has no names.
    func print(_ invocation: Invocation) async throws -> Int32 {
        let names = (try? await names(invocation)) ?? []
        let plain = names.filter { !$0.contains { $0.isWhitespace } && SafeText.sanitised($0) == $0 }
        try Output.print(plain.map { $0 + "\n" }.joined())
        return ExitStatus.done
    }

    private func names(_ invocation: Invocation) async throws -> [String] {
        let folders = Folders(environment: Environment.all)
        switch self {
        case .sources: return try invocation.catalog().sources().map(\.id)
        case .streets: return try invocation.catalog().streetsOffers.map(\.id) + ["off"]
        case .features: return Feature.all.map(\.name)
        case .styles: return try await invocation.withSession(asksFirst: false) { $0.opener.styleNames }
        case .bookmarks: return BookmarkFile(folders).load().bookmarks.map { String($0.letter) }
        case .areas: return try AreaFile(folders).read().map(\.id)
        case .places:
            let areas = try AreaFile(folders).read().map(\.id)
            return try await areas + StoredNames.regions.names(invocation)
                + StoredNames.packages.names(invocation)
        case .regions, .packages:
            return try await invocation.withSession(asksFirst: false) { session in
                let records = try session.regions().store.regions()
                return self == .regions
                    ? records.filter { $0.package == nil }.map(\.id) : records.compactMap(\.package?.package)
            }
        }
    }
}
