internal import CSQLite

/// A prepared, reusable SQL statement. Columns are counted from 0, parameters from 1.
public final class Statement {
    private let compiled: OpaquePointer
    private let connection: Connection
    private let attempt: String

    init(_ compiled: OpaquePointer, of connection: Connection, attempt: String) {
        self.compiled = compiled
        self.connection = connection
        self.attempt = attempt
    }

    deinit { sqlite3_finalize(compiled) }

    /// Advances to the next row. Resets the statement after the last one.
    /// - Returns: True if there is a row.
    @discardableResult
    public func step() throws(StoreFailure) -> Bool {
        connection.budget?.renew()
        switch sqlite3_step(compiled) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(compiled)
            return false
        case let code:
            let failure = connection.failure(code, attempt)
            sqlite3_reset(compiled)
            throw failure
        }
    }

    /// Returns the values that a closure reads from each remaining row, without nil.
    func all<Value>(
        _ read: (Statement) throws(StoreFailure) -> Value?
    ) throws(StoreFailure) -> [Value] {
        var values: [Value] = []
        while try step() { if let value = try read(self) { values.append(value) } }
        return values
    }

    /// Returns the value that a closure reads from the next row, and resets the statement; nil without a row.
    func first<Value>(_ read: (Statement) -> Value?) throws(StoreFailure) -> Value? {
        defer { reset() }
        return try step() ? read(self) : nil
    }

    /// Resets the statement to before the first row. Parameters stay bound.
    public func reset() {
        sqlite3_reset(compiled)
        connection.budget?.restart()
    }

    /// Binds a parameter, counted from 1.
    public func bind(_ parameter: Int, _ value: Int) throws(StoreFailure) {
        try check(sqlite3_bind_int64(compiled, Int32(clamping: parameter), Int64(value)))
    }

    /// Binds a parameter, counted from 1.
    public func bind(_ parameter: Int, _ value: Double) throws(StoreFailure) {
        try check(sqlite3_bind_double(compiled, Int32(clamping: parameter), value))
    }

    /// Binds a parameter, counted from 1.
    public func bind(_ parameter: Int, _ value: String) throws(StoreFailure) {
        let text = Array(value.utf8)
        let code = text.withUnsafeBytes {
            sqlite3_bind_text64(
                compiled, Int32(clamping: parameter), $0.assumingMemoryBound(to: CChar.self).baseAddress,
                UInt64($0.count), transient, UInt8(SQLITE_UTF8))
        }
        try check(text.isEmpty ? sqlite3_bind_text(compiled, Int32(clamping: parameter), "", 0, nil) : code)
    }

    /// Binds a parameter, counted from 1.
    public func bind(_ parameter: Int, _ value: [UInt8]) throws(StoreFailure) {
        let code = value.withUnsafeBytes {
            $0.isEmpty
                ? sqlite3_bind_zeroblob(compiled, Int32(clamping: parameter), 0)
                : sqlite3_bind_blob64(
                    compiled, Int32(clamping: parameter), $0.baseAddress, UInt64($0.count), transient)
        }
        try check(code)
    }

    /// Runs a body with bytes bound in place instead of copied, and then resets the statement.
    func binding<Result>(
        _ parameter: Int, _ value: [UInt8], _ body: () throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        let outcome = value.withUnsafeBytes { bytes -> Swift.Result<Result, StoreFailure> in
            defer {
                sqlite3_reset(compiled)
                sqlite3_bind_null(compiled, Int32(clamping: parameter))
            }
            do throws(StoreFailure) {
                // An empty array has no address and would be bound as NULL.
                guard !bytes.isEmpty else {
                    try bind(parameter, value)
                    return .success(try body())
                }
                try check(
                    sqlite3_bind_blob64(
                        compiled, Int32(clamping: parameter), bytes.baseAddress, UInt64(bytes.count), nil))
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// Binds parameters by name, such as `["zoom": 3]` for `@zoom`.
    func bind(_ values: SQLValues) throws(StoreFailure) {
        for (name, value) in values { try bind(name, value) }
    }

    /// Binds a parameter by name. Fails if the statement has no such parameter.
    func bind(_ name: String, _ value: any SQLValue) throws(StoreFailure) {
        try value.bind(to: self, (parameterNames.firstIndex(of: name) ?? -1) + 1)
    }

    /// The names of the parameters, without the sign. SQLite's own search takes twice as long.
    private lazy var parameterNames = (0..<sqlite3_bind_parameter_count(compiled)).map { number in
        sqlite3_bind_parameter_name(compiled, number + 1).map { String(cString: $0 + 1) } ?? ""
    }

    /// Binds parameters by name and runs a statement that returns no rows.
    func run(_ values: SQLValues) throws(StoreFailure) {
        try bind(values)
        try step()
    }

    /// Binds NULL.
    public func bindNull(_ parameter: Int) throws(StoreFailure) {
        try check(sqlite3_bind_null(compiled, Int32(clamping: parameter)))
    }

    /// Returns true if a column, counted from 0, is NULL.
    public func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(compiled, Int32(clamping: column)) == SQLITE_NULL
    }

    /// Returns a column as an integer, converted if necessary; nil for NULL.
    public func int(_ column: Int) -> Int? {
        isNull(column) ? nil : Int(sqlite3_column_int64(compiled, Int32(clamping: column)))
    }

    /// Returns a column as a number, converted if necessary; nil for NULL.
    public func double(_ column: Int) -> Double? {
        isNull(column) ? nil : sqlite3_column_double(compiled, Int32(clamping: column))
    }

    /// Returns a column as text, with invalid UTF-8 repaired; nil for NULL.
    public func text(_ column: Int) -> String? {
        guard !isNull(column) else { return nil }
        let start = sqlite3_column_blob(compiled, Int32(clamping: column))
        let count = sqlite3_column_bytes(compiled, Int32(clamping: column))
        return start.map {
            String(decoding: UnsafeRawBufferPointer(start: $0, count: Int(count)), as: UTF8.self)
        } ?? ""
    }

    /// Returns the bytes of a blob or text column; nil for NULL.
    public func bytes(_ column: Int) -> [UInt8]? {
        guard !isNull(column) else { return nil }
        let start = sqlite3_column_blob(compiled, Int32(clamping: column))
        let count = sqlite3_column_bytes(compiled, Int32(clamping: column))
        return start.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: Int(count))) } ?? []
    }

    // MARK: Columns by name

    /// The column numbers by name.
    private lazy var numbers: [String: Int] = Dictionary(
        (0..<sqlite3_column_count(compiled)).compactMap { number in
            sqlite3_column_name(compiled, number).map { (String(cString: $0), Int(number)) }
        }, uniquingKeysWith: { first, _ in first })

    /// Returns a column's number, or −1, which reads as NULL, if the statement lacks it.
    private func number(of column: String) -> Int { numbers[column] ?? -1 }

    /// Returns a column as an integer; nil for NULL.
    public func int(_ column: String) -> Int? { int(number(of: column)) }
    /// Returns a column as text; nil for NULL.
    public func text(_ column: String) -> String? { text(number(of: column)) }
    /// Returns a column as bytes; nil for NULL.
    public func bytes(_ column: String) -> [UInt8]? { bytes(number(of: column)) }

    private func check(_ code: Int32) throws(StoreFailure) {
        guard code == SQLITE_OK else { throw connection.failure(code, attempt) }
    }

    // SQLITE_TRANSIENT, which makes SQLite copy the bytes. Swift doesn't import the cast.
    private var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
}

/// The names and values of parameters.
typealias SQLValues = KeyValuePairs<String, any SQLValue>

/// A value that a parameter can have; nil is NULL.
protocol SQLValue {
    /// Binds the value to a parameter, counted from 1.
    func bind(to statement: Statement, _ parameter: Int) throws(StoreFailure)
}

extension Int: SQLValue {
    func bind(to statement: Statement, _ parameter: Int) throws(StoreFailure) {
        try statement.bind(parameter, self)
    }
}

extension String: SQLValue {
    func bind(to statement: Statement, _ parameter: Int) throws(StoreFailure) {
        try statement.bind(parameter, self)
    }
}

extension [UInt8]: SQLValue {
    func bind(to statement: Statement, _ parameter: Int) throws(StoreFailure) {
        try statement.bind(parameter, self)
    }
}

extension Optional: SQLValue where Wrapped: SQLValue {
    func bind(to statement: Statement, _ parameter: Int) throws(StoreFailure) {
        if let self { try self.bind(to: statement, parameter) } else { try statement.bindNull(parameter) }
    }
}
