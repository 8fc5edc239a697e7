import Glibc
import RhumbTestSupport

/// The changes that a program made to files, in their order, as `CCrashRecorder` recorded them.
struct FileTrace: Sendable {
    /// A change. Files are named by their inodes, which stay the same when a file is renamed.
    enum Change: Sendable {
        case create(inode: UInt64, path: String)
        case write(inode: UInt64, offset: Int, bytes: ArraySlice<UInt8>)
        case truncate(inode: UInt64, size: Int)
        case sync(inode: UInt64)
        case syncFolder(String)
        case rename(String, to: String)
        case unlink(String)
        case makeFolder(String)
        case removeFolder(String)
        /// Text that the program printed: from here on the user relies on it.
        case output(String)
    }

    /// The changes that succeeded.
    var changes: [Change] = []
    /// The kinds and paths of the calls that failed.
    var failures: [String] = []
    /// The number of calls that could have failed; 0 if the program was killed.
    var calls = 0

    /// Reads a trace. A record that is cut off at the end is dropped.
    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while rest.count >= 32 {
            let head = (0..<8).map { word in
                (0..<4).reduce(UInt64(0)) {
                    $0 | UInt64(rest[rest.startIndex + word * 4 + $1]) << (8 * UInt64($1))
                }
            }
            let first = Int(head[6] & 0xFFFF), second = Int(head[6] >> 16), length = Int(head[7])
            guard rest.count >= 32 + first + second + length else { return }
            var body = rest.dropFirst(32)
            let path = String(decoding: body.prefix(first), as: UTF8.self)
            body = body.dropFirst(first)
            let other = String(decoding: body.prefix(second), as: UTF8.self)
            let data = body.dropFirst(second).prefix(length)
            rest = rest.dropFirst(32 + first + second + length)
            guard head[1] == 0 else {
                failures.append("\(head[0]) \(path)")
                continue
            }
            let inode = head[2] | head[3] << 32, offset = Int(truncatingIfNeeded: head[4] | head[5] << 32)
            switch head[0] {
            case 1: changes.append(.create(inode: inode, path: path))
            case 2: changes.append(.write(inode: inode, offset: offset, bytes: data))
            case 3: changes.append(.truncate(inode: inode, size: offset))
            case 4: changes.append(.sync(inode: inode))
            case 5: changes.append(.syncFolder(path))
            case 6: changes.append(.rename(path, to: other))
            case 7: changes.append(.unlink(path))
            case 8: changes.append(.makeFolder(path))
            case 9: changes.append(.removeFolder(path))
            case 10: changes.append(.output(String(decoding: data, as: UTF8.self)))
            case 12: calls = offset
            default: break
            }
        }
    }

    /// The text that the program had printed after some changes.
    func output(upTo count: Int) -> String {
        changes.prefix(count).reduce(into: "") { text, change in
            if case .output(let more) = change { text += more }
        }
    }
}
