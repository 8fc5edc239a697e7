internal import Dispatch
internal import Glibc

/// A program's run from start to end.
public struct ProgramRun: Sendable {
    /// The exit code, or 128 plus the signal's number if the program was killed.
    public let status: Int32
    public let output: String
    public let errors: String

    /// Runs a program and suspends until it ends.
    /// - Parameter environment: The environment variables; nil for those of this process.
    public static func of(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil
    ) async -> ProgramRun {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "program").async {
                continuation.resume(returning: ProgramRun(program, arguments, environment: environment))
            }
        }
    }

    private init(_ program: String, _ arguments: [String], environment: [String: String]?) {
        let folder = TemporaryFolder()
        let path = folder.path + "/errors"
        let child = ChildProgram(program, arguments, environment: environment, errors: path)
        output = child.lines().joined(separator: "\n")
        status = child.wait()
        errors = ProgramRun.text(path)
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "rb") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = [], block = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&block, 1, block.count, file), count > 0 { bytes += block.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
