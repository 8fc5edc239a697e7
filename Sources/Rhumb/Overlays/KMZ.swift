internal import RhumbCore
internal import RhumbStore

/// The KML documents in a ZIP archive.
struct KMZ {
    private let zip: Zip
    /// The number of bytes that further documents may have.
    private var room = KMZ.limit
    private static let limit = 256 << 20

    /// - Throws: `OverlayProblem` if the archive is damaged.
    init(_ bytes: [UInt8]) throws(OverlayProblem) {
        do throws(Zip.Failure) { zip = try Zip(bytes) } catch { throw Self.problem(error) }
    }

    /// The names of the files, without those that macOS adds for their attributes.
    private var names: [String] { zip.entries.map(\.name).filter { !$0.hasPrefix("__MACOSX/") } }

    /// The names of the documents.
    fileprivate var documents: [String] { names.filter { $0.lowercased().hasSuffix(".kml") } }

    /// The name of the main document: doc.kml, or else the first .kml file.
    var main: String? { documents.first { $0 == "doc.kml" } ?? documents.first }

    /// The names of files with features in other formats, which aren't read.
    fileprivate var others: [String] { names.filter(ForeignFormat.isKnown) }

    /// The description of an archive without a KML document.
    fileprivate var withoutDocument: ForeignFormat { ForeignFormat(zip: zip.entries.map(\.name)) }

    /// Returns the bytes of a document.
    mutating func document(_ name: String) throws(OverlayProblem) -> [UInt8] {
        guard let entry = zip.entries.first(where: { $0.name == name }) else {
            throw OverlayProblem("the ZIP archive has no KML document")
        }
        let bytes = try converting(zip.unpacked(entry, limit: room), to: Self.problem)
        room -= bytes.count
        return bytes
    }

    /// Returns the name of the document that a link leads to; nil if it isn't in the archive.
    /// - Parameter document: The name of the document that contains the link.
    func target(of link: String, in document: String) -> String? {
        let path = link.prefix { $0 != "#" && $0 != "?" }.map { $0 == "\\" ? "/" : $0 }
        var parts = document.split(separator: "/").dropLast().map(String.init)
        for part in String(path).split(separator: "/") {
            switch part {
            case ".": break
            case "..": _ = parts.popLast()
            default: parts.append(PercentCoding.decoded(String(part)))
            }
        }
        let name = parts.joined(separator: "/")
        guard name.lowercased().hasSuffix(".kml") else { return nil }
        let names = zip.entries.map(\.name)
        return names.first { $0 == name } ?? names.first { $0.lowercased() == name.lowercased() }
    }

    private static func problem(_ failure: Zip.Failure) -> OverlayProblem {
        switch failure {
        case .damaged: OverlayProblem("the ZIP archive is damaged")
        case .tooLarge:
            OverlayProblem(
                "its KML documents are larger than 256 MiB; unpack it with unzip and open the .kml files")
        case .unknownPacking: OverlayProblem("the ZIP archive has an unsupported compression method")
        }
    }
}

extension OverlayReading {
    /// Reads the main document of an archive, and the documents in the archive that it links to.
    mutating func readDocuments(of archive: KMZ) throws(OverlayProblem) {
        guard let main = archive.main else {
            throw OverlayProblem("it \(archive.withoutDocument.description)")
        }
        var archive = archive, names = [main], next = 0
        defer {
            for name in archive.documents where !names.contains(name) && !feed.isOver && !isFull {
                let shown = SafeText.sanitised(name, limit: 60)
                otherFaults.add("\(shown) is not read, because \(main) does not link to it")
            }
        }
        for name in archive.others {
            let shown = SafeText.sanitised(name, limit: 60)
            otherFaults.add("\(shown) is not read; unpack the archive with unzip, and open \(shown)")
        }
        take(try archive.document(names[0]))
        while true {
            reader.followsLinks = true
            reader.finish()
            for link in reader.takeLinks() {
                if let target = archive.target(of: link.address, in: names[next]) {
                    if !names.contains(target) { names.append(target) }
                } else {
                    reader.reportUnread(link)
                }
            }
            next += 1
            guard next < names.count, !feed.isOver, !isFull else { return }
            endPart()
            do throws(OverlayProblem) { take(try archive.document(names[next])) } catch {
                otherFaults.add("\(names[next]): \(error)")
            }
        }
    }
}
