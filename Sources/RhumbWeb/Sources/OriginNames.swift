internal import RhumbBase

/// The names of sources in a list: with addresses if several have the same name, and with editions if several
/// have the same address.
public struct OriginNames: Sendable {
    /// The names that several sources or editions share, and the addresses that several of these share.
    private let shared: Set<String>, sharedAddresses: Set<String>

    /// Creates names for origins. Equal ones are made distinct.
    public init(_ origins: some Sequence<TileOrigin>) {
        let named = Dictionary(grouping: Set(origins), by: \.source)
        shared = Set(named.filter { $0.value.count > 1 }.keys)
        let addressed = Dictionary(grouping: named.values.filter { $0.count > 1 }.joined(), by: \.address)
        sharedAddresses = Set(addressed.filter { $0.value.count > 1 }.keys)
    }

    /// Returns the sanitised name of an origin.
    public func name(of origin: TileOrigin) -> String {
        guard shared.contains(origin.source) else { return SafeText.sanitised(origin.source, limit: 300) }
        let isUnique = !origin.address.isEmpty && !sharedAddresses.contains(origin.address)
        return SafeText.sanitised(
            isUnique ? "\(origin.source) \(origin.address)" : origin.description, limit: 300)
    }
}
