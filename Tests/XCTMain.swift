import Testing

/// Runs all tests. SwiftPM would write this file itself, but only with an index of all sources, which costs
/// time in every build.
@main
enum TestProgram {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
