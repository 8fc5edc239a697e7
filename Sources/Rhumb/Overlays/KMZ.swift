internal import RhumbStore

/// A KML document in a ZIP archive with its images.
enum KMZ {
    /// The maximum size of a decompressed document in bytes.
    private static let limit = 256 << 20

    /// Returns the document of an archive: doc.kml, or else the first .kml file.
    static func document(in bytes: [UInt8]) throws(OverlayProblem) -> [UInt8] {
        do throws(Zip.Failure) {
            let zip = try Zip(bytes),
                documents = zip.entries.filter { $0.name.lowercased().hasSuffix(".kml") }
            if let document = documents.first(where: { $0.name == "doc.kml" }) ?? documents.first {
                return try zip.unpacked(document, limit: limit)
            }
        } catch {
            switch error {
            case .damaged: throw OverlayProblem("the ZIP archive is damaged")
            case .tooLarge:
                throw OverlayProblem(
                    "its document is larger than 256 MiB; unpack it with unzip and open the .kml")
            case .unknownPacking:
                throw OverlayProblem("the ZIP archive has an unsupported compression method")
            }
        }
        throw OverlayProblem("the ZIP archive has no KML document")
    }
}
