/// Returns the value of an expression, or throws its error converted into another one.
///
///     let json = try converting(JSON.parse(bytes)) { (error: JSONFailure) in StyleFailure(error, in: bytes) }
package func converting<Value, Failure: Error, Converted: Error>(
    _ value: @autoclosure () throws(Failure) -> Value, to convert: (Failure) -> Converted
) throws(Converted) -> Value {
    do throws(Failure) { return try value() } catch { throw convert(error) }
}

/// Returns the value of an asynchronous expression, or throws its error converted into another one. It
/// has a name of its own, because asynchronous functions would choose it for other expressions, too.
package func convertingAsync<Value, Failure: Error, Converted: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ value: @autoclosure () async throws(Failure) -> Value, to convert: (Failure) -> Converted
) async throws(Converted) -> Value {
    do throws(Failure) { return try await value() } catch { throw convert(error) }
}
