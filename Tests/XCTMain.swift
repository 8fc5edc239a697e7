import Testing

/// Runs all tests. SwiftPM would write this file itself, but only with an index of all sources, which takes a
/// third of the time of a build.
@main
enum TestProgram {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
