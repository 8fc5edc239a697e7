internal import RhumbCore

extension Browser {
    mutating func receivePackages(_ response: AnyResponse) -> [Effect] {
        if let list = response[PackageListQuery.self]?.value { return receive(list) }
        if response[PackagePlanQuery.self]?.query == .update { return [.ask(PackageListQuery())] }
        guard let outcome = response[PackageAction.self]?.value else { return [] }
        let isDone = (try? outcome.get()) != nil
        return report(outcome) + [.ask(PackageListQuery())] + (isDone ? [.updateView] : [])
    }

    private mutating func receive(_ list: PackageList) -> [Effect] {
        stored.packages.list = list
        stored.cache.heat.expire()
        return askInPanels()
    }

    mutating func receive(_ progress: PackageProgress?) -> [Effect] {
        // When the operation reaches the next package, the previous ones are installed.
        let isNext = progress != nil && stored.packages.progress?.key != progress?.key
        stored.packages.progress = progress
        return isNext ? [.ask(PackageListQuery())] : []
    }

    /// Wordings such as "⇣ Finland 61 % 12/s 76 s", longest first; empty if no operation is running.
    var packageState: [String] {
        stored.packages.progress.map { progressWordings($0.name, $0.percent, $0.state, $0.pace) } ?? []
    }
}
