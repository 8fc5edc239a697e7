/// The texts of questions and notices of the packages panel.
enum PackagesText {
    static let update = "Update packages"

    static func notInstalled(_ package: String) -> String { "\(package) is not installed" }

    static func removal(of packages: String) -> String { "Remove \(packages)? y/N" }

    static let stop = "Stop? Tiles already downloaded are kept. y/N"
}
