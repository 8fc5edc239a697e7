import Glibc
import RhumbTestSupport

/// A disk that loses power. It knows which changes are durable, and which may be lost:
///
/// - A write or a change of size is durable once its file is synced. Without that, each of them may be kept,
///   lost, or torn at a multiple of 512 or 4,096 bytes.
/// - A new name, a rename or a removal is durable once its folder is synced. Without that, the last ones of a
///   folder may be lost; a rename is kept or lost as a whole.
struct CrashDisk {
    /// The part of the changes that is lost.
    enum Loss {
        /// No change remains.
        case everything
        /// All changes remain, as after the death of the process alone.
        case nothing
        /// A random part remains.
        case some(SplitMix)
    }

    private enum Pending {
        case write(offset: Int, bytes: ArraySlice<UInt8>)
        case truncate(Int)
    }

    private struct File {
        var durable: [UInt8] = []
        var pending: [Pending] = []
    }

    private enum NameChange {
        case add(String, Entry)
        case remove(String)
        case rename(String, to: String)
    }

    private enum Entry {
        case file(UInt64)
        case folder
    }

    private let root: String
    private var files: [UInt64: File] = [:]
    /// The durable names, below the root.
    private var names: [String: Entry] = [:]
    /// The changes of names in each folder since it was synced.
    private var pending: [String: [NameChange]] = [:]

    /// - Parameter root: A folder whose files are durable.
    init(_ root: String) {
        self.root = root
        add(root)
    }

    private mutating func add(_ folder: String) {
        for name in Self.list(folder) {
            let path = folder + "/" + name
            var facts = stat()
            guard lstat(path, &facts) == 0 else { continue }
            if facts.st_mode & S_IFMT == S_IFDIR {
                names[path] = .folder
                add(path)
            } else if facts.st_mode & S_IFMT == S_IFREG {
                names[path] = .file(UInt64(facts.st_ino))
                files[UInt64(facts.st_ino)] = File(durable: Self.read(path))
            }
        }
    }

    mutating func apply(_ change: FileTrace.Change) {
        switch change {
        case .create(let inode, let path):
            files[inode] = File()
            record(.add(path, .file(inode)), of: path)
        case .write(let inode, let offset, let bytes):
            files[inode]?.pending.append(.write(offset: offset, bytes: bytes))
        case .truncate(let inode, let size): files[inode]?.pending.append(.truncate(size))
        case .sync(let inode):
            guard let file = files[inode] else { return }
            files[inode] = File(durable: Self.contents(file, { _ in nil }))
        case .syncFolder(let folder):
            for change in pending[folder] ?? [] { Self.apply(change, to: &names) }
            pending[folder] = nil
        case .rename(let from, let to): record(.rename(from, to: to), of: to)
        case .unlink(let path), .removeFolder(let path): record(.remove(path), of: path)
        case .makeFolder(let path): record(.add(path, .folder), of: path)
        case .output: break
        }
    }

    private mutating func record(_ change: NameChange, of path: String) {
        pending[Self.folder(of: path), default: []].append(change)
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    private static func apply(_ change: NameChange, to names: inout [String: Entry]) {
        switch change {
        case .add(let path, let entry): names[path] = entry
        case .remove(let path): names[path] = nil
        case .rename(let from, let to):
            names[to] = names[from] ?? names[to]
            names[from] = nil
        }
    }

    // MARK: After the power cut

    /// Writes the files that a power cut leaves, without the shared memory of SQLite, which never survives.
    /// - Parameter folder: An empty folder that takes the root's place.
    func write(to folder: String, _ loss: Loss) {
        var generator: SplitMix? = if case .some(let seed) = loss { seed } else { nil }
        var names = names
        for folder in pending.keys.sorted() {
            let changes = pending[folder] ?? []
            let count =
                switch loss {
                case .everything: 0
                case .nothing: changes.count
                case .some: Int.random(in: 0...changes.count, using: &generator!)
                }
            for change in changes.prefix(count) { Self.apply(change, to: &names) }
        }
        mkdir(folder, 0o700)
        for (path, entry) in names.sorted(by: { $0.key < $1.key }) where !path.hasSuffix("-shm") {
            let place = folder + path.dropFirst(root.count)
            switch entry {
            case .folder: mkdir(place, 0o700)
            case .file(let inode):
                guard let file = files[inode] else { continue }
                let bytes =
                    switch loss {
                    case .everything: file.durable
                    case .nothing: Self.contents(file) { _ in nil }
                    case .some: Self.contents(file) { Self.kept($0, &generator!) }
                    }
                Self.write(bytes, to: place)
            }
        }
    }

    /// Returns the parts of a write that are kept, as ranges of its bytes; nil for all.
    private static func kept(_ length: Int, _ generator: inout SplitMix) -> [Range<Int>]? {
        switch generator.next() % 8 {
        case 0..<3: return nil
        case 3..<6: return []
        default:
            let sector = generator.next() % 2 == 0 ? 512 : 4096
            return stride(from: 0, to: length, by: sector).compactMap { start in
                generator.next() % 2 == 0 ? start..<min(start + sector, length) : nil
            }
        }
    }

    /// Returns the durable contents with the pending changes.
    /// - Parameter kept: Returns the kept parts of a write of this length; nil for all.
    private static func contents(_ file: File, _ kept: (Int) -> [Range<Int>]?) -> [UInt8] {
        var bytes = file.durable
        for change in file.pending {
            switch change {
            case .truncate(let size):
                if kept(1)?.isEmpty == true { continue }
                if size < bytes.count {
                    bytes.removeLast(bytes.count - size)
                } else {
                    bytes += [UInt8](repeating: 0, count: size - bytes.count)
                }
            case .write(let offset, let data):
                for part in kept(data.count) ?? [0..<data.count] where !part.isEmpty {
                    let end = offset + part.upperBound
                    if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
                    let start = data.startIndex
                    bytes.replaceSubrange(
                        offset + part.lowerBound..<end,
                        with: data[start + part.lowerBound..<start + part.upperBound])
                }
            }
        }
        return bytes
    }

    // MARK: Files

    private static func list(_ folder: String) -> [String] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var found: [String] = []
        while let item = readdir(handle) {
            let name = withUnsafeBytes(of: &item.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { found.append(name) }
        }
        return found
    }

    static func read(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "rb") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = [], block = [UInt8](repeating: 0, count: 1 << 18)
        while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block.prefix(count) }
        return bytes
    }

    private static func write(_ bytes: [UInt8], to path: String) {
        guard let file = fopen(path, "wb") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
