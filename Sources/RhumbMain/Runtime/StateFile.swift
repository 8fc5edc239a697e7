internal import Glibc
internal import Rhumb
internal import RhumbBrowser

/// A small file that several runs of the program read and change.
///
/// To change the file, a run locks it against other runs, reads it, and replaces it atomically. Content that
/// can't be parsed is never overwritten; the file is preserved under another name.
struct StateFile<Value: Sendable>: Sendable {
    /// The representation of the value in the file.
    struct Format: Sendable {
        /// The value of a missing file.
        let empty: Value
        /// The maximum size of a file to read or write, in bytes.
        let limit: Int
        /// Parses a file. The fault describes the first part that can't be parsed; nil if there is none.
        let parse: @Sendable ([UInt8]) -> (value: Value, fault: String?)
        let bytes: @Sendable (Value) -> [UInt8]
    }

    let path: String
    private let format: Format
    /// True if only the owner may read the file.
    private let isPrivate: Bool

    init(_ path: String, _ format: Format, isPrivate: Bool = false) {
        self.path = path
        self.format = format
        self.isPrivate = isPrivate
    }

    /// Reads the file without locking it.
    /// - Returns: The value, and a notice about faults of the file, usually nil.
    func load() -> (value: Value, fault: Notice.Problem?) {
        do throws(Notice.Problem) {
            let (value, fault) = try read()
            return (value, fault.map { Notice.Problem("Can't read \(path): \($0). Correct the file.") })
        } catch {
            return (format.empty, error)
        }
    }

    /// Changes the value, and writes it if it has changed.
    /// - Returns: The new value, and a notice with the new name of a file that could not be parsed.
    /// - Throws: A sentence if the file can't be locked, read or written. The file then remains unchanged.
    @discardableResult
    func change(
        _ body: (inout Value) -> Void
    ) throws(Notice.Problem) -> (value: Value, warning: Notice.Problem?) {
        let lock = try lock()
        defer { close(lock) }
        var (value, fault) = try read()
        body(&value)
        let bytes = format.bytes(value)
        guard bytes.count <= format.limit else {
            throw Notice.Problem(
                "Can't write \(path): it would be larger than \(AmountText.bytes(format.limit)).")
        }
        let warning = try fault.map { (fault) throws(Notice.Problem) in try setAside(because: fault) }
        try converting(Files.write(bytes, to: path, isPrivate: isPrivate, links: .follow)) {
            (error: ExportFailure) in Notice.Problem(shown: error)
        }
        return (value, warning)
    }

    private func read() throws(Notice.Problem) -> (value: Value, fault: String?) {
        guard Files.isRegularOrMissing(path) else {
            throw Notice.Problem("Can't read \(path): it is not a regular file. Move it away.")
        }
        guard let size = Files.size(path), size > 0 else { return (format.empty, nil) }
        if size > format.limit {
            return (format.empty, "it is larger than \(AmountText.bytes(format.limit))")
        }
        guard let bytes = Files.read(path, limit: format.limit) else {
            throw Notice.Problem("Can't read \(path): check its permissions.")
        }
        return format.parse(bytes)
    }
}

// MARK: Locking

extension StateFile {
    /// The maximum wait for other runs.
    private static var timeLimit: Duration { .seconds(5) }

    /// Locks the folder of the file until the returned descriptor is closed. On a file system without locks,
    /// nothing is locked.
    private func lock() throws(Notice.Problem) -> Int32 {
        let folder = path.parentFolder
        Files.makeFolder(folder)
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard FileLock.take(descriptor, waitingUpTo: Self.timeLimit) == .heldElsewhere else {
            return descriptor
        }
        close(descriptor)
        throw Notice.Problem("Can't write \(path): another program locks its folder. Try again.")
    }

    /// Gives the file a second name, under which it is preserved when it is replaced.
    private func setAside(because fault: String) throws(Notice.Problem) -> Notice.Problem {
        let file = Files.real(path)
        for number in 1...999 {
            let name = file + (number == 1 ? ".bak" : ".bak-\(number)")
            // Some file systems don't support links.
            guard !Files.exists(name) else { continue }
            guard link(file, name) == 0 || rename(file, name) == 0 else { break }
            return Notice.Problem(
                "Can't read \(path): \(fault). It was saved as \(name), and a new file was started.")
        }
        throw Notice.Problem(
            "Can't write \(path): \(fault), and it can't be renamed. Correct or move the file.")
    }
}

// MARK: Formats

extension StateFile.Format where Value == [String] {
    /// Lines of text without duplicates.
    static func lines(limit: Int) -> Self {
        Self(
            empty: [], limit: limit,
            parse: { bytes in
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    return ([], "it is not UTF-8 text")
                }
                return (text.split(separator: "\n").map(String.init), nil)
            },
            bytes: { lines in Array(lines.map { $0 + "\n" }.joined().utf8) })
    }
}

extension StateFile.Format {
    /// A JSON array.
    /// - Parameter element: Parses an element; returns nil if it is invalid.
    static func array<Element>(
        limit: Int, of noun: String, text: @escaping @Sendable (JSON) -> String,
        json: @escaping @Sendable (Element) -> JSON,
        element: @escaping @Sendable (JSON) -> Element?
    ) -> Self where Value == [Element] {
        Self(
            empty: [], limit: limit,
            parse: { bytes in
                do throws(JSONFailure) {
                    guard let array = try JSON.parse(bytes).array else {
                        return ([], "it is not a JSON array")
                    }
                    let elements = array.map(element)
                    let fault = elements.firstIndex { $0 == nil }.map { "element \($0 + 1) is not a \(noun)" }
                    return (elements.compactMap(\.self), fault)
                } catch {
                    let line = bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
                    return ([], "line \(line): \(error.problem)")
                }
            },
            bytes: { Array((text(JSON.array($0.map(json))) + "\n").utf8) })
    }
}
