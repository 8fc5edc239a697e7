import Glibc
@testable import RhumbStore
import RhumbTestSupport
import Testing

struct ConnectionTests {
    private func memory() throws -> Connection {
        let connection = try Connection("scratch", .inMemory)
        try connection.execute("CREATE TABLE t (a, b UNIQUE)", to: "make a table")
        return connection
    }

    @Test func `bound values are read back unchanged`() throws {
        let row = try Connection("scratch", .inMemory).prepare(
            "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7", to: "echo")
        try row.bind(1, Int.min)
        try row.bind(2, 1.5)
        try row.bind(3, "é\0x")
        try row.bind(4, [0, 255] as [UInt8])
        try row.bind(5, "")
        try row.bind(6, [] as [UInt8])
        try row.bindNull(7)
        #expect(try row.step())
        #expect(
            row.int(0) == .min && row.double(1) == 1.5 && row.text(2) == "é\0x" && row.bytes(3) == [0, 255])
        #expect(
            row.text(4) == "" && row.bytes(5) == [] && row.isNull(6) && row.int(6) == nil
                && row.bytes(6) == nil)
        #expect(try !row.step())
    }

    @Test func `values are bound by name in any order`() throws {
        let connection = try memory()
        try connection.run("INSERT INTO t VALUES (@first, @second)", ["second": "é", "first": 7])
        let row = try connection.prepare(
            "SELECT a, b, @none IS NULL FROM t WHERE a = @a AND b = @b", to: "read")
        try row.bind(["none": nil as Int?, "b": "é", "a": 7])
        #expect(try row.step())
        #expect(row.int(0) == 7 && row.text(1) == "é" && row.int(2) == 1)
    }

    @Test func `a name that a statement lacks is an error`() throws {
        let row = try Connection("scratch", .inMemory).prepare("SELECT @zoom", to: "echo")
        #expect(throws: StoreFailure.self) { try row.bind(["zoom": 3, "row": 4]) }
    }

    @Test func `a statement starts over after reset`() throws {
        let rows = try memory().prepare("SELECT 1 UNION SELECT 2", to: "count")
        #expect(try rows.step())
        rows.reset()
        #expect(try rows.step())
        #expect(rows.int(0) == 1)
    }

    @Test func `a failed transaction leaves nothing behind`() throws {
        let connection = try memory()
        #expect(throws: StoreFailure.self) {
            try connection.transaction(to: "add rows") { () throws(StoreFailure) in
                try connection.execute(
                    "INSERT INTO t VALUES (1, 1); INSERT INTO t VALUES (2, 1)", to: "add rows")
            }
        }
        let count = try connection.prepare("SELECT count(*) FROM t", to: "count")
        try count.step()
        #expect(count.int(0) == 0)
    }

    @Test func `changed rows and the last row are reported`() throws {
        let connection = try memory()
        try connection.execute("INSERT INTO t VALUES (1, 1), (2, 2)", to: "add rows")
        #expect(connection.changedRows == 2 && connection.lastInsertedRow == 2)
    }

    @Test func `a failure states the action, the file and the remedy`() throws {
        let connection = try memory()
        let failure = #expect(throws: StoreFailure.self) {
            try connection.prepare("SELECT x FROM t", to: "look")
        }
        #expect(failure?.kind == .other && failure?.attempt == "look" && failure?.file == "scratch")
        #expect(
            failure?.description.hasPrefix("can't look in scratch: no such column: x (SQLite 1); ") == true)
    }

    @Test func `a constraint has its own kind`() throws {
        let connection = try memory()
        try connection.execute("INSERT INTO t VALUES (1, 1)", to: "add")
        let failure = #expect(throws: StoreFailure.self) {
            try connection.execute("INSERT INTO t VALUES (2, 1)", to: "add")
        }
        #expect(failure?.kind == .constraint)
    }

    @Test func `reading does not create a missing file`() {
        let folder = TemporaryFolder()
        let failure = #expect(throws: StoreFailure.self) { try Connection(folder.path + "/none", .readOnly) }
        #expect(failure?.kind == .cannotOpen)
    }

    @Test func `another program's lock is a distinct failure once the wait is over`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/a.db"
        let writer = try Connection(path, .readWrite)
        try writer.execute("CREATE TABLE t (a); BEGIN EXCLUSIVE", to: "lock")
        let reader = try Connection(path, .readOnly, busyTimeout: .zero)
        let failure = #expect(throws: StoreFailure.self) {
            try reader.prepare("SELECT * FROM t", to: "read").step()
        }
        #expect(failure?.kind == .busy)
    }

    @Test(
        arguments: [
            (13, nil, .diskFull), (4874, nil, .diskFull), (778, ENOSPC, .diskFull), (778, EIO, .disk),
            (8, nil, .notWritable),
            (14, nil, .cannotOpen), (14, ENOENT, .notWritable), (14, ENOSPC, .diskFull),
        ] as [(Int32, Int32?, StoreFailure.Kind)])
    func `a failure names its cause according to the codes of SQLite and the system`(
        code: Int32, system: Int32?, kind: StoreFailure.Kind
    ) {
        #expect(
            StoreFailure(code: code, system: system, attempt: "write", file: "a.db", reason: "").kind == kind)
    }

    @Test(
        arguments: [
            (EIO, .disk), (ENOSPC, .diskFull), (EDQUOT, .diskFull), (EACCES, .notWritable),
            (EROFS, .notWritable), (ENOENT, .cannotOpen),
        ] as [(Int32, StoreFailure.Kind)])
    func `a failure of the system alone names its cause, too`(system: Int32, kind: StoreFailure.Kind) {
        #expect(StoreFailure(system: system, attempt: "rename the file", file: "a.db").kind == kind)
    }

    @Test func `freed memory is not written to the index of a log without pages`() throws {
        let folder = TemporaryFolder(), first = try Connection(folder.path + "/a.db", .readWrite)
        try first.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a)", to: "make a log")
        folder.write(folder.bytes("a.db"), to: "b.db")
        folder.write(Array(folder.bytes("a.db-wal").prefix(132)), to: "b.db-wal")
        let mark = [UInt8](repeating: 0x5A, count: 64)
        // Blocks like that of SQLite, which takes one of the last freed.
        for size in 33_000..<42_000 where size.isMultiple(of: 100) {
            let block = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
            block.initializeMemory(as: UInt8.self, repeating: mark[0])
            block.deallocate()
        }
        let second = try Connection(folder.path + "/b.db", .readWrite)
        #expect(try second.integer("SELECT count(*) FROM sqlite_master") == 0)
        let index = folder.bytes("b.db-shm")
        #expect(index.count == 32_768 && index.firstRange(of: mark) == nil)
    }

    @Test func `the log of a file that never changes is read without locks`() throws {
        let folder = TemporaryFolder(), path = folder.path + "/a.db"
        let writer = try Connection(path, .readWrite)
        try writer.execute(
            "PRAGMA journal_mode = WAL; CREATE TABLE t (a); BEGIN IMMEDIATE; INSERT INTO t VALUES (1); COMMIT",
            to: "make")
        let rows = try Connection(path, .immutableWithLog).prepare("SELECT a FROM t", to: "read")
        #expect(try rows.step() && rows.int(0) == 1)
    }

    @Test func `an immutable file opens whatever characters its name contains`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/a?b#c %é.db"
        try Connection(path, .readWrite).execute("CREATE TABLE t (a)", to: "make")
        let count = try Connection(path, .immutable).prepare("SELECT count(*) FROM t", to: "count")
        #expect(try count.step())
    }

    @Test func `a statement outlives the last other reference to its connection`() throws {
        let one = try { try memory().prepare("SELECT 1", to: "ask") }()
        #expect(try one.step())
    }

    @Test func `a database in memory is read in place and never written to`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/a.db"
        try Connection(path, .readWrite).execute("CREATE TABLE t (a); INSERT INTO t VALUES (7)", to: "make")
        let file = try FileBytes(path)
        let bytes = try file.read(offset: 0, count: Int(file.size))
        try bytes.withUnsafeBytes { memory in
            let connection = try Connection("embedded", .mapped(MemoryBytes(memory)))
            let row = try connection.prepare("SELECT a FROM t", to: "read")
            #expect(try row.step() && row.int(0) == 7)
            row.reset()
            let failure = #expect(throws: StoreFailure.self) {
                try connection.execute("DELETE FROM t", to: "write")
            }
            #expect(failure?.kind == .notWritable && failure?.file == "embedded")
        }
    }
}
