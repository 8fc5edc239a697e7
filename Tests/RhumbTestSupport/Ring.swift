package import RhumbCore

/// Returns the positions of a ring.
/// - Parameter numbers: The longitude and latitude of each corner in degrees.
package func ring(_ numbers: [(Double, Double)]) -> [Position] {
    numbers.map { Position(longitude: $0.0, latitude: $0.1) }
}
