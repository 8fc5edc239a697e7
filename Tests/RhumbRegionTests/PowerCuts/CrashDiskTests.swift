import Glibc
import RhumbTestSupport
import Testing

/// The model of a disk that loses power.
struct CrashDiskTests {
    private let root = TemporaryFolder()

    /// Returns the files that remain: their contents as text by name.
    private func remains(_ disk: CrashDisk, _ loss: CrashDisk.Loss) -> [String: String] {
        let folder = TemporaryFolder()
        disk.write(to: folder.path, loss)
        return folder.names.reduce(into: [:]) {
            $0[$1] = String(decoding: CrashDisk.read(folder.path + "/" + $1), as: UTF8.self)
        }
    }

    private func disk(_ changes: [FileTrace.Change]) -> CrashDisk {
        changes.reduce(into: CrashDisk(root.path)) { $0.apply($1) }
    }

    private func write(_ text: String) -> FileTrace.Change {
        .write(inode: 1, offset: 0, bytes: Array(text.utf8)[...])
    }

    @Test func `a file is durable once it and its folder are synced`() {
        let file = FileTrace.Change.create(inode: 1, path: root.path + "/a")
        let sync = FileTrace.Change.sync(inode: 1), folder = FileTrace.Change.syncFolder(root.path)
        #expect(remains(disk([file, write("text")]), .everything) == [:])
        #expect(remains(disk([file, write("text"), sync]), .everything) == [:])
        #expect(remains(disk([file, write("text"), folder]), .everything) == ["a": ""])
        #expect(remains(disk([file, write("text"), sync, folder]), .everything) == ["a": "text"])
        #expect(remains(disk([file, write("text")]), .nothing) == ["a": "text"])
    }

    @Test func `a rename is kept or lost as a whole`() {
        root.write(Array("old".utf8), to: "a")
        let changes: [FileTrace.Change] = [
            .create(inode: 1, path: root.path + "/b"), write("new"), .sync(inode: 1),
            .rename(root.path + "/b", to: root.path + "/a"),
        ]
        let disk = disk(changes)
        #expect(remains(disk, .everything) == ["a": "old"])
        #expect(remains(disk, .nothing) == ["a": "new"])
        let found = Set((0..<50).map { remains(disk, .some(SplitMix(seed: $0))) })
        #expect(found == [["a": "old"], ["a": "old", "b": "new"], ["a": "new"]])
    }

    @Test func `a write that is not synced may be kept, lost or torn`() {
        let text = String(repeating: "x", count: 4096)
        let disk = disk([.create(inode: 1, path: root.path + "/a"), .syncFolder(root.path), write(text)])
        let found = Set(
            (0..<200).map { remains(disk, .some(SplitMix(seed: $0)))["a"]?.filter { $0 == "x" }.count })
        #expect(found.contains(0) && found.contains(4096) && found.contains { 0 < $0! && $0! < 4096 })
        #expect(found.allSatisfy { $0! % 512 == 0 })
    }
}
