internal import Rhumb
internal import RhumbBrowser

/// The most recent routes that their providers allow to be stored, newest first, in a file that only its
/// owner may read.
struct RouteHistory: Sendable {
    private let file: StateFile<[RouteAnswer]>?
    private static let limit = 20
    /// The maximum size of the file in bytes. The oldest routes are dropped to fit.
    fileprivate static let bytes = 8 << 20

    init(_ folders: Folders) {
        file = folders.state.map { StateFile($0 + "/routes.json", .routes, isPrivate: true) }
    }

    /// All stored routes.
    var all: [RouteAnswer] { file?.load().value ?? [] }

    /// Returns the stored response to the same request, regardless of its age; nil if there is none.
    func answer(to request: RouteRequest) -> RouteAnswer? {
        all.first { $0.request.asksTheSame(as: request) }
    }

    /// Adds a response if it may be stored. It is not an error if the file can't be written.
    /// - Returns: A notice with the new name of a file that could not be parsed; usually nil.
    @discardableResult
    func add(_ answer: RouteAnswer) -> Notice.Problem? {
        guard answer.mayBeStored else { return nil }
        let changed = try? file?.change { routes in
            var rest = Self.bytes - 3
            let all = [answer] + routes.filter { !$0.request.asksTheSame(as: answer.request) }
            routes = all.prefix(Self.limit).prefix { route in
                rest -= route.json.text.utf8.count + 1
                return rest >= 0
            }
        }
        return changed?.warning
    }
}

extension StateFile<[RouteAnswer]>.Format {
    fileprivate static let routes = array(
        limit: RouteHistory.bytes, of: "route", text: \.text, json: \.json, element: RouteAnswer.init(json:))
}
