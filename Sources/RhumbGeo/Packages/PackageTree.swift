/// The packages of a catalogue as a tree.
public struct PackageTree: Hashable, Sendable {
    /// The package that contains all others.
    public let root: CatalogPackage
    /// The packages: the root first, every other after its parent.
    public let packages: [CatalogPackage]
    private let indices: [String: Int]
    private let childIndices: [[Int]]

    /// The maximum number of packages from the root to a leaf: the world, a continent, a country, and their
    /// parts.
    public static let depthLimit = 32

    /// - Throws: `PackageCatalogFailure` if the packages are not a tree, or deeper than `depthLimit`.
    public init(_ packages: [CatalogPackage]) throws(PackageCatalogFailure) {
        guard packages.count <= PackageCatalog.packageLimit else {
            throw .tooMany(packages.count, limit: PackageCatalog.packageLimit)
        }
        var indices: [String: Int] = [:], children = Array(repeating: [Int](), count: packages.count),
            roots: [String] = []
        var depths = Array(repeating: 1, count: packages.count)
        indices.reserveCapacity(packages.count)
        for (at, package) in packages.enumerated() {
            guard indices.updateValue(at, forKey: package.id) == nil else { throw .duplicate(package.id) }
            guard let parent = package.parent else { roots.append(package.id); continue }
            guard let index = indices[parent], index != at else {
                throw .unknownParent(package: package.id, parent: parent)
            }
            depths[at] = depths[index] + 1
            guard depths[at] <= Self.depthLimit else {
                throw .tooDeep(package: package.id, limit: Self.depthLimit)
            }
            children[index].append(at)
        }
        guard roots.count == 1, let root = packages.first else { throw .roots(roots) }
        self.packages = packages
        self.indices = indices
        childIndices = children
        self.root = root
    }

    /// The package with that id; nil if there is none.
    public subscript(id: String) -> CatalogPackage? { indices[id].map { packages[$0] } }

    /// Returns the parent of a package; nil for the root.
    public func parent(of package: CatalogPackage) -> CatalogPackage? { package.parent.flatMap { self[$0] } }

    /// Returns the children of a package in the catalogue's order.
    public func children(of package: CatalogPackage) -> [CatalogPackage] {
        indices[package.id].map { childIndices[$0].map { packages[$0] } } ?? []
    }

    /// Returns the ancestors of a package, from the root to its parent.
    public func ancestors(of package: CatalogPackage) -> [CatalogPackage] {
        var ancestors: [CatalogPackage] = []
        while let parent = parent(of: ancestors.last ?? package) { ancestors.append(parent) }
        return ancestors.reversed()
    }

    /// Returns the packages with their own content that a package consists of: itself, or its descendants.
    public func contents(of package: CatalogPackage) -> [CatalogPackage] {
        var found: [CatalogPackage] = [], waiting = [package]
        while let next = waiting.popLast() {
            if next.content != nil { found.append(next) } else { waiting += children(of: next).reversed() }
        }
        return found
    }

    // MARK: Looking for packages

    /// The result of a search for the package at a place.
    public enum Found: Hashable, Sendable {
        case here(CatalogPackage)
        /// No package contains the place; this one is nearest.
        case nearest(CatalogPackage)
    }

    /// Returns the smallest package at a place, at most a country. If several have the same size, returns the
    /// first by id; nil if no package has an area.
    public func at(_ place: Coordinate) -> Found? {
        // Most packages are far away. The one with the nearest box rules them out.
        let limits = packages.indices.map { at in
            packages[at].level >= .country ? packages[at].area?.distanceToBox(place) ?? .infinity : .infinity
        }
        guard let first = limits.indices.min(by: { limits[$0] < limits[$1] }),
            var best = Candidate(packages[first], place)
        else { return nil }
        for at in limits.indices where limits[at] <= best.distance && at != first {
            guard let candidate = Candidate(packages[at], place), candidate.isBetter(than: best) else {
                continue
            }
            best = candidate
        }
        return best.distance == 0 ? .here(best.package) : .nearest(best.package)
    }

    private struct Candidate {
        let package: CatalogPackage
        let area: PackageArea
        let distance: Double

        /// - Returns: Nil if the package has no area of at most a country.
        init?(_ package: CatalogPackage, _ place: Coordinate) {
            guard package.level >= .country, let area = package.area else { return nil }
            self.package = package
            self.area = area
            distance = area.distance(to: place)
        }

        func isBetter(than other: Candidate) -> Bool {
            distance == other.distance
                ? (area.size, package.id) < (other.area.size, other.package.id) : distance < other.distance
        }
    }

    /// Returns the packages whose id or title in any language contains the words, ignoring case and accents.
    /// Matches at the beginning come first, then larger packages.
    public func search(_ query: String) -> [CatalogPackage] {
        let wanted = FoldedName.fold(query)
        guard !wanted.isEmpty else { return [] }
        var found: [(rank: Int, level: CatalogPackage.Level, at: Int)] = []
        for (at, package) in packages.enumerated() {
            let names = [package.id] + package.titles.values
            guard let rank = names.compactMap({ FoldedName.rank(of: wanted, in: FoldedName.fold($0)) }).min()
            else { continue }
            found.append((rank, package.level, at))
        }
        return found.sorted { ($0.rank, $0.level, $0.at) < ($1.rank, $1.level, $1.at) }.map {
            packages[$0.at]
        }
    }
}
