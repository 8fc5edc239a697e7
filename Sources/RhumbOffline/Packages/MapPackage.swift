public import RhumbCore
public import RhumbStore

/// A snapshot of a package: its catalogue entry and its installed part.
public struct MapPackage: Sendable, Equatable, Identifiable {
    /// The installed part of a package.
    public enum Status: String, Sendable {
        case none
        /// A package that contains it is installed.
        case implicit
        case explicit
        /// Some of its tiles are stored.
        case partial
    }

    /// The size of a package on disk in bytes.
    public enum Size: Sendable, Equatable {
        /// The measured size of an installed package.
        case measured(Int)
        /// The maximum according to the publisher.
        case upTo(Int)

        /// The measured or maximum size in bytes.
        public var bytes: Int {
            switch self {
            case .measured(let bytes), .upTo(let bytes): bytes
            }
        }
    }

    /// The package's entry in the catalogue.
    public let package: CatalogPackage
    /// The ids of its children, in the catalogue's order.
    public let children: [String]
    /// The installed part.
    public let status: Status
    /// The size with the selected data groups.
    public let size: Size
    /// The installed edition; for a group, the oldest of its contents.
    public let installed: PackageVersion?

    /// The package's id in the catalogue.
    public var id: String { package.id }
    /// The id of the parent package; nil for the root.
    public var parent: String? { package.parent }
    /// The title in English.
    public var englishTitle: String { package.englishTitle }
    /// The newest edition in the catalogue.
    public var edition: PackageEdition? { package.edition }
    /// The number of editions newer than the installed one.
    public var newer: Int { installed.map { old in package.editions.count { $0.version > old } } ?? 0 }

    /// Returns the title in a language, given by its BCP 47 code; see `CatalogPackage.title`.
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

/// A package that is installed as a region. The region's id contains those of the catalogue and the package.
/// Its metadata contains the edition.
struct InstalledPackage: Sendable, Identifiable {
    /// The package's id in the catalogue.
    let id: String
    let record: RegionRecord

    /// Returns the id of the package's region. Regions that users create have other ids.
    static func regionID(_ package: String, of catalog: PackageCatalog) throws(MapLoaderFailure) -> RegionID {
        return try converting(RegionID(PackageName(package, of: catalog.id).regionID)) {
            (error: RegionIDFailure) in
            MapLoaderFailure(.invalidParameters, "package \(package): \(error)")
        }
    }

    /// - Parameter heights: The source of the package's heights; nil for none.
    static func metadata(
        _ edition: PackageVersion?, of loaded: LoadedCatalog, heights: String? = nil
    ) -> JSON {
        var package = JSONObject()
        package["heights"] = heights.map { .string($0) }
        package["catalog"] = .string(loaded.catalog.id)
        package["address"] = .string(loaded.address)
        package["edition"] = edition.map { .string("\($0)") } ?? .null
        if let signature = loaded.signature {
            package["key"] = .string(signature.key.text)
            package["signed"] = .integer(Int(clamping: signature.time.value))
        }
        return ["package": .object(package)]
    }

    /// The installed edition; nil before the first complete download.
    var edition: PackageVersion? { record.packageEdition }

    /// True if the installation is queued, but not started.
    var isQueued: Bool { record.parts.isEmpty }

    /// True if every tile of an edition is stored or known to be absent.
    var isWhole: Bool { !InstalledPackage.lacksTiles(record) }

    static func lacksTiles(_ record: RegionRecord) -> Bool { record.parts.isEmpty || record.missing > 0 }

    /// True if the pending update is activated together with those of other packages.
    var isTogether: Bool { record.pendingUpdate == true }

    /// True if tiles are missing, or all heights.
    /// - Parameter heights: The source of the wanted heights; nil for none.
    func lacks(_ heights: String?) -> Bool { !isWhole || heights != nil && self.heights == nil }

    /// The source of its heights; nil for none.
    var heights: String? { record.definition?.metadata["package"]?["heights"]?.string }

    var features: Set<String> { Set(record.definition?.features ?? []) }
}

extension RegionRecord {
    /// True for a package that is completely stored.
    public var isInstalledPackage: Bool { package != nil && !InstalledPackage.lacksTiles(self) }
}

extension MapPackage: CustomStringConvertible {
    /// The id, the title, the installed part and the size, such as "finland: Finland, explicit, up to 12 MB".
    public var description: String {
        let isMeasured = if case .measured = size { true } else { false }
        return
            "\(SafeText.sanitised(id)): \(englishTitle), \(status.rawValue), \(isMeasured ? "" : "up to ")\(AmountText.bytes(size.bytes))"
    }
}
