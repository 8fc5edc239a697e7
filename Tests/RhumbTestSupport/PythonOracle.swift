internal import Glibc

/// Python packages whose results tests compare with. CI installs them into `.build/oracles`.
public enum PythonOracle {
    /// The folder into which CI installs the packages.
    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/.build/oracles"

    private static let environment = [
        "PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin", "PYTHONPATH": folder,
        "HOME": "/nonexistent",
    ]

    /// Returns true if Python and the packages are installed.
    public static func has(_ packages: String...) async -> Bool {
        await run("import " + packages.joined(separator: ", ")).status == 0
    }

    /// Runs a script. The status is not 0 if there is no Python.
    public static func run(_ script: String, _ arguments: String...) async -> ProgramRun {
        await ProgramRun.of("/usr/bin/env", ["python3", "-c", script] + arguments, environment: environment)
    }
}
