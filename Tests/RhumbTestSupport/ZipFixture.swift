/// A ZIP archive of uncompressed files.
package struct ZipFixture {
    private let files: [(name: String, bytes: [UInt8])]
    /// The declared uncompressed size of every file; nil for the true ones.
    package var declaredSize: Int?

    package init(_ files: [(name: String, text: String)]) {
        self.files = files.map { ($0.name, Array($0.text.utf8)) }
    }

    package var bytes: [UInt8] {
        var archive: [UInt8] = [], directory: [UInt8] = []
        for file in files {
            let sizes =
                number(0, 4) + number(file.bytes.count, 4) + number(declaredSize ?? file.bytes.count, 4)
            let names = number(file.name.utf8.count, 2) + number(0, 2)
            directory += [0x50, 0x4B, 1, 2] + number(20, 2) + number(20, 2) + [UInt8](repeating: 0, count: 8)
            directory += sizes + names + [UInt8](repeating: 0, count: 10) + number(archive.count, 4)
            directory += Array(file.name.utf8)
            archive += [0x50, 0x4B, 3, 4] + number(20, 2) + [UInt8](repeating: 0, count: 8) + sizes + names
            archive += Array(file.name.utf8) + file.bytes
        }
        let end = [0x50, 0x4B, 5, 6] + number(0, 4) + number(files.count, 2) + number(files.count, 2)
        return archive + directory + end + number(directory.count, 4) + number(archive.count, 4)
            + number(0, 2)
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
