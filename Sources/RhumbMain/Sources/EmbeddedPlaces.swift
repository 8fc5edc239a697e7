internal import CAssets
internal import Rhumb

/// The gazetteer embedded in the program.
enum EmbeddedPlaces {
    static func open() throws(PlaceSearchFailure) -> any PlaceSearch {
        defer { FilePages.giveBackPlaces() }
        return try Gazetteer(memory, name: "embedded in rhumb")
    }

    private static var memory: MemoryBytes {
        MemoryBytes(
            UnsafeRawBufferPointer(start: rhumb_asset_places(), count: rhumb_asset_places_size()))
    }
}
