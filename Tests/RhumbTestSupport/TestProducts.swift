internal import Glibc

/// Programs built together with the tests.
public enum TestProducts {
    /// Returns the path of a built executable, next to the test bundle. `RHUMB_TEST_RHUMB` names another
    /// build of the program, such as the optimised one, whose compilation has faults of its own.
    public static func path(_ name: String) -> String {
        if name == "rhumb", let other = getenv("RHUMB_TEST_RHUMB") { return String(cString: other) }
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count)
        let program = String(
            decoding: buffer.prefix(max(length, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let arguments = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? program
        let folder = arguments.lastIndex(of: "/").map { arguments[..<$0] } ?? "."
        return "\(folder)/\(name)"
    }
}
