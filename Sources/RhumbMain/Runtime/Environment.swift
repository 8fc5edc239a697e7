internal import Glibc

/// The environment the program was started in.
enum Environment {
    static var all: [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let line = String(cString: text)
            if let sign = line.firstIndex(of: "=") {
                variables[String(line[..<sign])] = String(line[line.index(after: sign)...])
            }
            entry += 1
        }
        return variables
    }
}
