internal import CAssets
internal import Rhumb
internal import Synchronization

/// The gazetteer embedded in the program.
enum EmbeddedPlaces {
    /// The open gazetteer; nil until it is needed.
    private static let opened = Mutex<Gazetteer?>(nil)

    /// Returns the gazetteer, which is opened once. Opening it takes a millisecond.
    static func open() throws(PlaceSearchFailure) -> any PlaceSearch {
        try opened.withLock { opened throws(PlaceSearchFailure) in
            if let opened { return opened }
            let gazetteer = try Gazetteer(memory, name: "embedded in rhumb")
            opened = gazetteer
            return gazetteer
        }
    }

    private static var memory: MemoryBytes {
        MemoryBytes(
            UnsafeRawBufferPointer(start: rhumb_asset_places(), count: rhumb_asset_places_size()))
    }
}
