internal import Glibc

/// A new folder that is deleted with its contents when the object is deallocated.
public final class TemporaryFolder: Sendable {
    public let path: String

    /// The file system in memory.
    private static let memory = "/dev/shm"
    private static let prefix = "rhumb-test-"
    /// The number of the process, also while the simulator replaces it.
    private static let process = getpid()

    /// - Parameter inMemory: True to use a file system in memory if there is one, for tests that write often.
    ///   The name of the folder contains the number of the process, see `removeAbandoned`.
    public init(inMemory: Bool = false) {
        let isInMemory = inMemory && access(Self.memory, W_OK) == 0
        let start = isInMemory ? "\(Self.memory)/\(Self.prefix)\(Self.process)-" : "/tmp/\(Self.prefix)"
        var template = Array("\(start)XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { fatalError("no temporary folder can be made") }
        path = String(cString: made)
    }

    deinit { Self.erase(path) }

    /// Removes the folders in memory of this process, and of those that ended without removing theirs.
    public static func removeAbandoned() {
        guard let handle = opendir(memory) else { return }
        defer { closedir(handle) }
        while let item = readdir(handle) {
            let name = name(of: item)
            let parts = name.dropFirst(prefix.count).split(separator: "-")
            guard name.hasPrefix(prefix), parts.count == 2, let owner = pid_t(parts[0]),
                owner == process || kill(owner, 0) < 0 && errno == ESRCH
            else { continue }
            erase("\(memory)/\(name)")
        }
    }

    private static func name(of item: UnsafeMutablePointer<dirent>) -> String {
        withUnsafeBytes(of: &item.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static func holds(_ bytes: [UInt8], _ text: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, let first = text.first else { return false }
            var at = 0
            while at + text.count <= bytes.count,
                let next = memchr(start + at, Int32(first), bytes.count - at - text.count + 1)
            {
                if memcmp(next, text, text.count) == 0 { return true }
                at = UnsafeRawPointer(next) - start + 1
            }
            return false
        }
    }

    /// The names of the folder's entries in alphabetical order.
    public var names: [String] {
        guard let handle = opendir(path) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let item = readdir(handle) {
            let name = Self.name(of: item)
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func erase(_ path: String) {
        if let handle = opendir(path) {
            while let item = readdir(handle) {
                let name = name(of: item)
                guard name != "." && name != ".." else { continue }
                let place = path + "/" + name
                if item.pointee.d_type == UInt8(DT_DIR) { erase(place) } else { unlink(place) }
            }
            closedir(handle)
        }
        rmdir(path)
    }

    /// Writes a file and creates the folders above it.
    /// - Returns: The path of the file.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) -> String {
        let parts = name.split(separator: "/")
        for count in 1..<max(parts.count, 1) {
            mkdir(path + "/" + parts.prefix(count).joined(separator: "/"), 0o755)
        }
        let place = path + "/" + name
        guard let file = fopen(place, "wb") else { fatalError("cannot write \(place)") }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        return place
    }
}

extension TemporaryFolder {
    /// The relative paths of all files in the folder and its subfolders.
    public var everyFile: [String] { files(below: "") }

    /// Returns the text of a file; empty if it can't be read.
    public func text(_ name: String) -> String {
        guard let file = fopen(path + "/" + name, "rb") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = [], block = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Removes a file.
    public func remove(_ name: String) { unlink(path + "/" + name) }

    /// Returns the relative paths of all files that contain a text.
    public func everyFileContaining(_ text: String) -> [String] {
        everyFile.filter { TemporaryFolder.holds(bytes($0), Array(text.utf8)) }
    }

    private func files(below folder: String) -> [String] {
        guard let handle = opendir(path + "/" + folder) else { return [] }
        defer { closedir(handle) }
        var found: [String] = []
        while let item = readdir(handle) {
            let name = Self.name(of: item)
            guard name != "." && name != ".." else { continue }
            found +=
                item.pointee.d_type == UInt8(DT_DIR) ? files(below: folder + name + "/") : [folder + name]
        }
        return found
    }

    /// Returns a file's bytes; empty if it can't be read.
    public func bytes(_ name: String) -> [UInt8] {
        guard let file = fopen(path + "/" + name, "rb") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block.prefix(count) }
        return bytes
    }
}
