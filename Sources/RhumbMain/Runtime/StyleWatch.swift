internal import Dispatch
internal import Rhumb
internal import RhumbBrowser

/// Has the map drawn anew when a style is saved, and tells of faults in it.
struct StyleWatch {
    let file: String
    let inbox: Inbox
    /// How long the rest of a file that is cut off is waited for, in milliseconds.
    private static let patience: Int32 = 1000

    /// Watches until the program ends.
    func begin() {
        guard let watch = FileWatch(file) else {
            return inbox.put(.trouble("\(file) can't be watched: :style \(file) reads it anew"))
        }
        // A thread of its own: it waits all the time.
        DispatchQueue(label: "rhumb.style-watch").async {
            tell(read(watch), isFirst: true)
            while watch.wait() { tell(read(watch), isFirst: false) }
        }
    }

    /// The style once it is written whole: a file that is gone or cut off may be in the middle of that.
    private func read(_ watch: FileWatch) -> Result<StyleText, MapOpenFailure> {
        while true {
            guard let bytes = Files.read(file, limit: StyleText.byteLimit) else {
                if watch.wait(milliseconds: Self.patience) { continue }
                return Result { () throws(MapOpenFailure) in try StyleText(file: file) }
            }
            do throws(StyleFailure) {
                return .success(try StyleText(bytes))
            } catch {
                if error.isCutOff, watch.wait(milliseconds: Self.patience) { continue }
                return .failure(.document(file: file, problem: "\(error)"))
            }
        }
    }

    private func tell(_ text: Result<StyleText, MapOpenFailure>, isFirst: Bool) {
        switch text {
        case .failure(let failure): inbox.put(.trouble(FailureText.sentence(failure)))
        case .success(let text):
            if !isFirst { inbox.put(.styleSaved) }
            guard let finding = text.style.findings.first else { return }
            let more = text.style.findings.count - 1, name = file.split(separator: "/").last ?? ""
            inbox.put(.trouble("\(name), \(text.place(of: finding)): \(finding)" + (more > 0 ? ", and \(more) more" : "")))
        }
    }
}
