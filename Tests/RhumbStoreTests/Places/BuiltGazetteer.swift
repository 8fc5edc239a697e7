import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport

/// The gazetteer built into the program.
enum BuiltGazetteer {
    /// The bytes, which stay in memory until the tests end.
    static let bytes: MemoryBytes = kept(TestFiles.bytes("Assets/places.db") ?? [])

    static let whole = Result { () throws(PlaceSearchFailure) in try Gazetteer(bytes, name: "places") }

    static func kept(_ bytes: [UInt8]) -> MemoryBytes {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        memory.copyBytes(from: bytes)
        return MemoryBytes(UnsafeRawBufferPointer(memory))
    }

    static func search(_ text: String, near: Coordinate? = nil, limit: Int = 5) throws -> [PlaceMatch] {
        try whole.get().places(matching: text, near: near, limit: limit)
    }
}
