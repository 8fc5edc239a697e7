internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The stored choice of streets: one word in a file of the state folder.
struct StreetsFile: Sendable {
    private let file: StateFile<[String]>?

    init(_ folders: Folders) { file = folders.state.map { StateFile($0 + "/streets", .lines(limit: 200)) } }

    /// Returns the choice; undecided if none is stored.
    func load() -> StreetsChoice { StreetsChoice(text: file?.load().value.first ?? "") }

    /// Saves the choice. May wait for the disk and for other runs of the program.
    /// - Throws: A notice if the file can't be written.
    func save(_ choice: StreetsChoice) throws(Notice.Problem) {
        guard let file else { throw Notice.Problem("Can't store the choice of streets: \(Folders.missing)") }
        try file.change { $0 = [choice.text] }
    }
}

extension SourceCatalog {
    /// The sources that can serve as streets: vector tiles without a key, Rhumb's default first.
    var streetsOffers: [ServiceOffer] {
        let vector = ((try? sources()) ?? []).filter {
            $0.holdsVectorTiles && $0.keys.isEmpty && $0.policy.viewing
        }
        let ordered =
            vector.filter { $0.id == ServiceOffer.defaultID }
            + vector.filter { $0.id != ServiceOffer.defaultID }
        return ordered.map(offer)
    }

    /// The source from which areas of streets are downloaded; nil if none is configured.
    var streetsDownload: ServiceOffer? { downloadSource.map(offer) }

    /// The sources that Rhumb lists, whose hosts the user didn't name.
    var listedServices: [ServiceOffer] {
        let own = Set(ownSources.map(\.id))
        return ((try? sources()) ?? []).filter { !own.contains($0.id) }.map(offer)
    }

    private func offer(_ source: SourceDefinition) -> ServiceOffer {
        ServiceOffer(source, isAccepted: false, environment: variable)
    }
}

extension ServiceOffer {
    /// The source that Rhumb offers first.
    static let defaultID = "openfreemap"
}

extension Invocation {
    /// Returns the streets given on the command line or in the configuration; nil if there are none.
    /// - Throws: `UsageError` if no source has that name.
    func streets(_ catalog: SourceCatalog) throws(UsageError) -> StreetsChoice? {
        guard let specifier = self[.streets] ?? (command == .streets ? ServiceOffer.defaultID : nil) else {
            return nil
        }
        let choice = StreetsChoice(text: specifier), names = catalog.streetsOffers.map(\.id)
        guard case .source(let name) = choice, !names.contains(name) else { return choice }
        throw UsageError(
            "\(spelling(of: .streets)): unknown source \"\(SafeText.sanitised(name))\"; expected one of \((names + ["off"]).joined(separator: ", "))"
        )
    }
}
