/// A query that is answered outside the browser, on another thread. It is declared next to the panel or
/// feature that sends it and receives the responses, each more complete than the one before.
public protocol Query: Equatable, Sendable {
    /// The type of a response.
    associatedtype Response: Sendable

    /// The scheduling relative to other queries. Default: the latest query of the type counts.
    static var scheduling: QueryScheduling { get }

    /// False if many responses arrive while a view is completed, so that they are drawn together. Default:
    /// true.
    static var isDrawnAtOnce: Bool { get }

    /// Returns true if the query no longer needs a response, because a later query of its type was sent.
    /// Default: false.
    func isOvertaken(by newest: Self) -> Bool
}

extension Query {
    /// The latest query of the type counts.
    public static var scheduling: QueryScheduling { .latest("\(Self.self)") }
    /// The response is drawn without waiting for others.
    public static var isDrawnAtOnce: Bool { true }
    /// Returns false, because every query needs its response.
    public func isOvertaken(by newest: Self) -> Bool { false }
}

/// The scheduling of a query. Queries of one lane never run at the same time.
public enum QueryScheduling: Hashable, Sendable {
    /// A query cancels the earlier ones in its lane.
    case latest(String)
    /// A query waits for the earlier ones in its lane.
    case inOrder(String)
    /// A query runs at once.
    case each

    /// The ordered lane of queries about the small files of the program. They are completed before the
    /// program ends.
    public static let files = inOrder("files")
}

/// A query of any type. Two are equal if their queries are.
public struct AnyQuery: Equatable, Sendable {
    /// The query.
    public let query: any Query

    /// Wraps a query.
    public init(_ query: some Query) { self.query = query }

    public static func == (a: AnyQuery, b: AnyQuery) -> Bool { a.query.isEqual(to: b.query) }
}

extension Query {
    fileprivate func isEqual(to other: any Query) -> Bool { other as? Self == self }
}

/// A response with the query that it answers.
public struct AnyResponse: Sendable {
    private let response: any Sendable
    /// False for a response that is drawn together with others.
    public let isDrawnAtOnce: Bool

    /// Creates a response to a query.
    public init<Q: Query>(_ response: Q.Response, to query: Q) {
        self.response = QueryResponse(query: query, value: response)
        isDrawnAtOnce = Q.isDrawnAtOnce
    }

    /// The response if it is to a query of a type; nil otherwise.
    package subscript<Q: Query>(_ type: Q.Type) -> QueryResponse<Q>? { response as? QueryResponse<Q> }
}

/// A response to a query of a known type.
package struct QueryResponse<Q: Query>: Sendable {
    package let query: Q
    package let value: Q.Response
}

extension Loadable where Question: Query, Answer == Question.Response {
    /// Accepts a response to the last question.
    mutating func receive(_ response: AnyResponse) {
        if let response = response[Question.self] { receive(response.value, to: response.query) }
    }
}
