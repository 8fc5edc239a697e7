internal import Rhumb
internal import RhumbBrowser

/// Redraws the map when a style is saved, and reports its faults.
struct StyleWatch {
    let file: String
    /// Opens the map that the style defines; nil if other maps are drawn in the style.
    let reopen: (@Sendable () async throws(MapOpenFailure) -> [TileLayer])?
    let inbox: Inbox
    /// The wait for the rest of a truncated file, in milliseconds.
    private static let timeLimit: Int32 = 1000

    /// Watches until the program ends.
    func begin() {
        guard let watch = FileWatch(file) else {
            return inbox.put(.problem("\(file) can't be watched; reload it with :style \(file)"))
        }
        Task.detached(executorPreference: BlockingExecutor.shared) {
            if let remark = remark(on: read(watch)) { inbox.put(.problem(remark)) }
            while watch.wait() { await report(read(watch)) }
        }
    }

    /// Returns the style once it is completely written. If the file is missing or truncated, waits for the
    /// rest.
    private func read(_ watch: FileWatch) -> Result<StyleText, MapOpenFailure> {
        while true {
            guard let bytes = Files.read(file, limit: StyleText.byteLimit) else {
                if watch.wait(milliseconds: Self.timeLimit) { continue }
                return Result { () throws(MapOpenFailure) in try StyleText(file: file) }
            }
            do throws(StyleFailure) {
                return .success(try StyleText(bytes))
            } catch {
                if error.isCutOff, watch.wait(milliseconds: Self.timeLimit) { continue }
                return .failure(.document(file: file, problem: "\(error)"))
            }
        }
    }

    private func report(_ text: Result<StyleText, MapOpenFailure>) async {
        let remark = remark(on: text)
        if case .failure = text { return inbox.put(.problem(remark ?? "")) }
        guard let reopen else { return inbox.put(.styleSaved(remark: remark)) }
        do throws(MapOpenFailure) {
            inbox.put(.reopened(try await reopen(), remark: remark))
        } catch {
            inbox.put(.problem(FailureText.notice(error)))
        }
    }

    /// Returns a message about the first fault of a style; nil if there is none.
    private func remark(on text: Result<StyleText, MapOpenFailure>) -> String? {
        switch text {
        case .failure(let failure): return FailureText.notice(failure)
        case .success(let text):
            guard let finding = text.style.findings.first else { return nil }
            let more = text.style.findings.count - 1, name = file.lastPathName
            return "\(name), \(text.location(of: finding.path)): \(finding)"
                + (more > 0 ? ", and \(more) more" : "")
        }
    }
}
