import RhumbCore
import Testing

/// The strip to prefetch ahead of a moving position.
struct MovingCorridorTests {
    /// 0.3° of the equator, some 33 km.
    private let way = [
        Coordinate(latitude: 0, longitude: 10), Coordinate(latitude: 0, longitude: 10.1),
        Coordinate(latitude: 0, longitude: 10.3),
    ]
    private static let kilometre = 1 / 111.195

    private func place(_ kilometres: Double, north: Double = 0) -> Coordinate {
        Coordinate(latitude: north * Self.kilometre, longitude: 10 + kilometres * Self.kilometre)
    }

    /// Kilometres from the beginning of the way to both ends of a part, without the rounding of its ends.
    private func span(_ ground: RegionGeometry?) throws -> [Int] {
        guard case .corridor(let line, let halfWidth)? = ground?.shapes.first else { throw Missing() }
        #expect(halfWidth == 2500)
        return [line.first, line.last].compactMap { $0 }.map {
            Int((($0.longitude - 10) / Self.kilometre).rounded())
        }
    }

    private struct Missing: Error {}

    @Test
    func `parts of ten kilometres come one after the other, each a kilometre before the end of the last`()
        throws
    {
        var corridor = try #require(MovingCorridor(along: way))
        #expect(try span(corridor.next(at: place(0))) == [0, 10])
        for kilometres in [0.5, 5, 8.9] { #expect(corridor.next(at: place(kilometres)) == nil) }
        #expect(try span(corridor.next(at: place(9.1))) == [10, 20])
        #expect(corridor.next(at: place(9.2)) == nil && corridor.next(at: place(18)) == nil)
        #expect(try span(corridor.next(at: place(19.5, north: 1))) == [20, 30])
        #expect(!corridor.isAtEnd)
        #expect(try span(corridor.next(at: place(30))) == [30, 33])
        #expect(corridor.isAtEnd && corridor.next(at: place(33)) == nil)
    }

    @Test func `somebody who is beyond a part gets the one that he is in`() throws {
        var corridor = try #require(MovingCorridor(along: way))
        #expect(try span(corridor.next(at: place(12))) == [12, 22])
        #expect(try span(corridor.next(at: place(28))) == [28, 33])
    }

    @Test func `the whole way is one strip with all its corners`() throws {
        let corridor = try #require(MovingCorridor(along: way))
        #expect(try span(corridor.whole) == [0, 33])
        #expect(abs(corridor.wholeLength - 33_358) < 10)
    }

    @Test func `a way across the antimeridian is followed the short way`() throws {
        let way = [Coordinate(latitude: 0, longitude: 179.95), Coordinate(latitude: 0, longitude: -179.9)]
        var corridor = try #require(MovingCorridor(along: way))
        #expect(abs(corridor.wholeLength - 16_680) < 20)
        let part = corridor.next(at: way[0]), first = try #require(part)
        #expect(
            first.bounds.contains(Coordinate(latitude: 0, longitude: 179.99))
                && first.bounds.contains(Coordinate(latitude: 0, longitude: -179.98)))
    }

    @Test
    func
        `without a way the strip goes straight ahead, and the next one begins before its end or after a turn`()
        throws
    {
        var corridor = try #require(CourseCorridor())
        #expect(try span(corridor.next(at: place(0), course: 90)) == [0, 10])
        for kilometres in [1.0, 5, 8.9] {
            #expect(corridor.next(at: place(kilometres, north: 0.5), course: 80) == nil)
        }
        #expect(try span(corridor.next(at: place(9.2), course: 90)) == [9, 19])
        let turned = try #require(corridor.next(at: place(10, north: 2), course: 0)?.bounds)
        #expect(turned.north > 0.1 && turned.contains(place(10, north: 11)))
        #expect(corridor.next(at: place(10, north: 3), course: 0) == nil)
        #expect(corridor.next(at: place(10, north: 3), course: .nan) == nil)
        #expect(try span(corridor.next(at: place(8, north: 3), course: -90)) == [8, -2])
        #expect(CourseCorridor(length: 10) == nil && CourseCorridor(lead: .nan) == nil)
    }

    @Test func `what is no way has no corridor`() {
        #expect(MovingCorridor(along: []) == nil && MovingCorridor(along: [way[0]]) == nil)
        #expect(MovingCorridor(along: way, length: 10) == nil && MovingCorridor(along: way, width: 1) == nil)
        #expect(
            MovingCorridor(along: way, lead: 20_000) == nil && MovingCorridor(along: way, width: .nan) == nil)
        #expect(MovingCorridor(along: [way[0], way[0]]) == nil)
    }
}
