public import RhumbCore
internal import RhumbStore

/// A snapshot of a package.
public struct MapPackage: Sendable, Equatable, Identifiable {
    /// The installed part of a package.
    public enum Status: String, Sendable {
        case none
        /// A package that contains this one is installed.
        case implicit
        case explicit
        /// Something of it is there.
        case partial
    }

    /// Bytes on disk.
    public enum Size: Sendable, Equatable {
        /// The size of the stored tiles.
        case measured(Int)
        /// The largest size by its publisher.
        case upTo(Int)

        /// The bytes, measured or at most.
        public var bytes: Int {
            switch self {
            case .measured(let bytes), .upTo(let bytes): bytes
            }
        }
    }

    /// The package as the catalogue has it.
    public let package: CatalogPackage
    /// In the catalogue's order.
    public let children: [String]
    /// The installed part.
    public let status: Status
    /// The bytes it takes, or may take, with the data groups that are selected.
    public let size: Size
    /// The edition that is installed; of a package that is made of others, the oldest of theirs.
    public let installed: PackageVersion?

    /// Its id in the catalogue.
    public var id: String { package.id }
    /// The id of the package that contains it; nil for the root.
    public var parent: String? { package.parent }
    /// The title in English.
    public var englishTitle: String { package.englishTitle }
    /// The newest edition that is offered.
    public var edition: PackageEdition? { package.edition }
    /// Editions that came out since the installed one.
    public var newer: Int { installed.map { old in package.editions.count { $0.version > old } } ?? 0 }

    /// The title in a language, by its code (BCP 47); see `CatalogPackage.title`.
    public func title(_ language: String) -> String { package.title(language) }
}

extension PackageTree {
    func snapshot(
        _ package: CatalogPackage, _ installed: [String: InstalledPackage], _ features: Set<String>
    ) -> MapPackage {
        let contents = contents(of: package),
            there = contents.compactMap { installed[$0.id] }.filter { !$0.isQueued }
        let isWhole = !contents.isEmpty && there.count == contents.count && there.allSatisfy(\.isWhole)
        let isImplied = ancestors(of: package).contains {
            $0.content != nil && installed[$0.id]?.isWhole == true
        }
        let status: MapPackage.Status =
            isWhole ? .explicit : !there.isEmpty ? .partial : isImplied ? .implicit : .none
        return MapPackage(
            package: package, children: children(of: package).map(\.id), status: status,
            size: size(contents, installed, features), installed: there.compactMap(\.edition).min())
    }

    private func size(
        _ contents: [CatalogPackage], _ installed: [String: InstalledPackage], _ features: Set<String>
    ) -> MapPackage.Size {
        var bytes = 0, isMeasured = true
        for package in contents {
            if let whole = installed[package.id], whole.isWhole { bytes += whole.record.bytes; continue }
            isMeasured = false
            bytes += package.edition?.bytes(with: features) ?? 0
        }
        return isMeasured && !contents.isEmpty ? .measured(bytes) : .upTo(bytes)
    }
}
