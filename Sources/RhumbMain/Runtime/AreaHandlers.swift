internal import Rhumb
internal import RhumbBrowser

/// Handles queries about areas and their use without a network.
struct AreaHandlers {
    let session: MapSession
    let opener: MapOpener
    let folders: Folders

    func register(on dispatcher: QueryDispatcher) {
        let file = AreaFile(folders)
        dispatcher.handle(AreaListQuery.self) { [session] _, _, reply in
            reply(
                await attempt {
                    let records = try session.storedRegions()
                    return try file.read().map { area in
                        let members = area.regions.compactMap { records.named($0) }
                        return AreaItem(area, map: area.baseMap(records), bounds: members.box)
                    }
                })
        }
        dispatcher.handle(ChangeArea.self) { [session] change, _, reply in
            reply(await attempt { try Self.perform(change.kind, file, session) })
        }
        dispatcher.handle(ReadyQuery.self) { [session, opener] query, _, reply in
            reply(
                await attempt {
                    let scope = try ReadinessScope(
                        query.name.map { [$0] } ?? [], areas: file.read(),
                        regions: session.regions().store.regions())
                    return try await ReadinessCheck(session, opener, scope).items()
                })
        }
    }

    private static func perform(
        _ change: ChangeArea.Kind, _ file: AreaFile, _ session: MapSession
    ) throws -> String {
        switch change {
        case .add(var area, let box):
            let records = try session.storedRegions()
            area.regions = records.filter { record in
                let parts = record.definition?.geometry.bounds.worldBoxes ?? []
                return parts.contains { part in box.worldBoxes.contains { $0.overlaps(part) } }
            }.map { $0.package?.package ?? $0.id }
            guard try !file.read().contains(where: { $0.id == area.id }) else {
                throw Notice.Problem("The area \(area.id) exists. Remove it with x, or use another name.")
            }
            try file.add(area, replaces: false)
            return "Area \(area.id): \(area.summary)"
        case .remove(let id):
            try file.remove(id)
            return "Removed the area \(id); its regions are kept"
        }
    }
}

extension MapSession {
    /// Returns all regions; empty if regions are off.
    /// - Throws: `RegionStoreFailure` if they can't be read.
    fileprivate func storedRegions() throws(RegionStoreFailure) -> [RegionRecord] {
        do throws(RegionStoreFailure) { return try regions().store.regions() } catch {
            guard error.isFault else { return [] }
            throw error
        }
    }
}
