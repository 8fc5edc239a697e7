internal import Glibc

/// Files of the repository.
public enum TestFiles {
    /// Returns the absolute path of a file, given its path from the repository's root.
    public static func path(_ path: String) -> String {
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/" + path
    }

    /// Returns the bytes of a file, given its path from the repository's root; nil if it can't be read.
    public static func bytes(_ path: String) -> [UInt8]? { bytes(at: TestFiles.path(path)) }

    /// Returns the bytes of a file, given its absolute path; nil if it can't be read.
    public static func bytes(at path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block.prefix(count) }
        return bytes
    }

    /// Returns the names of the files in a folder, given its path from the repository's root.
    public static func names(in folder: String) -> [String] { names(at: path(folder)) }

    /// Returns the names of the files in a folder, given its absolute path.
    public static func names(at folder: String) -> [String] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let item = readdir(handle) {
            names.append(
                withUnsafeBytes(of: &item.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names.filter { !$0.hasPrefix(".") }
    }

    /// Returns the contents of all Swift files in a folder and its subfolders, given its path from the
    /// repository's root.
    public static func swiftFiles(in folder: String) -> [String] {
        names(in: folder).flatMap { name -> [String] in
            let path = folder + "/" + name
            guard name.hasSuffix(".swift") else { return swiftFiles(in: path) }
            return bytes(path).map { [String(decoding: $0, as: UTF8.self)] } ?? []
        }
    }
}
