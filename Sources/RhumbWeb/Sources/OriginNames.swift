internal import RhumbBase

/// The names of sources in a list, with addresses and editions if several have the same name.
public struct OriginNames: Sendable {
    /// The names that several sources or editions share.
    private let shared: Set<String>

    /// Creates names for origins. Equal ones are made distinct.
    public init(_ origins: some Sequence<TileOrigin>) {
        let named = Dictionary(grouping: Set(origins), by: \.source)
        shared = Set(named.filter { $0.value.count > 1 }.keys)
    }

    /// Returns the sanitised name of an origin.
    public func name(of origin: TileOrigin) -> String {
        SafeText.sanitised(shared.contains(origin.source) ? origin.description : origin.source, limit: 300)
    }
}
