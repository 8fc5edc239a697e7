internal import Glibc

/// The class of a road in map tiles.
enum RoadClass: UInt8, Sendable, CaseIterable {
    case motorway, trunk, primary, secondary, tertiary, ferry
    case minor, living, service, track, cycleway, path, footway, pedestrian, steps, bridleway

    /// True for the classes of long routes.
    var isMain: Bool { rawValue <= RoadClass.ferry.rawValue }
}

/// The attributes of a road that decide who may use it, and how quickly.
struct RoadTraits: RawRepresentable, Hashable, Sendable {
    var rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(_ kind: RoadClass) { rawValue = UInt16(kind.rawValue) }

    var kind: RoadClass { RoadClass(rawValue: UInt8(rawValue & 15)) ?? .minor }

    /// An attribute that a road has or lacks.
    struct Flag: Sendable {
        let bit: UInt16
        /// A ramp or slip road.
        static let link = Flag(bit: 1 << 4)
        /// Vehicles may only drive in the direction of the line.
        static let forward = Flag(bit: 1 << 5)
        static let roundabout = Flag(bit: 1 << 6)
        static let bridge = Flag(bit: 1 << 7)
        static let tunnel = Flag(bit: 1 << 8)
        static let noFoot = Flag(bit: 1 << 9)
        static let noBicycle = Flag(bit: 1 << 10)
        static let noCar = Flag(bit: 1 << 11)
        /// Bicycles are expressly allowed.
        static let bicycle = Flag(bit: 1 << 12)
        static let toll = Flag(bit: 1 << 13)
        /// A driveway, an alley or an aisle of a car park.
        static let slow = Flag(bit: 1 << 14)
        /// Bicycles may ride against the direction of a one-way road.
        static let contraflow = Flag(bit: 1 << 15)
    }

    subscript(flag: Flag) -> Bool {
        get { rawValue & flag.bit != 0 }
        set { rawValue = newValue ? rawValue | flag.bit : rawValue & ~flag.bit }
    }
}

/// The speeds of a mode of travel, and its costs of turns.
struct RoadProfile: Sendable {
    let mode: RouteMode
    let avoids: Set<RouteAvoidance>
    /// The factor by which roads to avoid appear longer.
    private static let avoidance = 25.0

    /// Returns nil for modes that need more than tiles contain. Motorcycles may use the roads of cars.
    init?(_ mode: RouteMode, avoiding avoids: Set<RouteAvoidance> = []) {
        guard [.car, .motorcycle, .bicycle, .foot].contains(mode) else { return nil }
        self.mode = mode == .motorcycle ? .car : mode
        self.avoids = avoids
    }

    /// The highest speed of the mode in km/h.
    var highestSpeed: Double { mode == .car ? 95 : mode == .bicycle ? 15 : 5 }

    /// The highest speed of the mode in km/h on other roads than motorways.
    var usualSpeed: Double { mode == .car ? 50 : highestSpeed }

    /// Returns the extra cost of a turn at a junction, in seconds. Cars wait longer for a turn to the left.
    /// - Parameter angle: Degrees, positive to the right, -180…180.
    func cost(ofTurn angle: Double, isRound: Bool) -> Double {
        let share = abs(angle) / 180
        switch mode {
        case .bicycle: return 24 * share * share * (angle < 0 ? 1.2 : 1 / 1.2)
        case .car:
            let slope = angle < 0 ? 1.075 : 1 / 1.075
            let turn = 7.5 / (1 + exp(-(13 * slope * share - 6.5 / slope)))
            return turn + (angle < 0 && !isRound ? 2 / (1 + exp(-(13 * share - 3.25))) : 0)
        default: return 0
        }
    }

    /// Returns the cost of a metre in seconds; nil if the direction is forbidden.
    /// - Parameter isForward: True in the direction of the road's line.
    func cost(_ traits: RoadTraits, isForward: Bool) -> Double? {
        speed(traits, isForward: isForward).map { 3.6 / $0 * aversion(to: traits) }
    }

    /// Returns the factor by which a road appears longer than it is, because it should be avoided.
    func aversion(to traits: RoadTraits) -> Double {
        var factor = isUnsuitable(traits) ? 4.0 : 1
        if avoids.contains(.motorways), traits.kind == .motorway { factor *= RoadProfile.avoidance }
        if avoids.contains(.ferries), traits.kind == .ferry { factor *= RoadProfile.avoidance }
        if avoids.contains(.tolls), traits[.toll] { factor *= RoadProfile.avoidance }
        return factor
    }

    /// Returns the metres by which a road appears further from a place. Places are above ground and ashore,
    /// so the road of a place is a tunnel or a ferry only if no other one is near. Vehicles reach fewer
    /// streets above a tunnel: with 100 m for cars, too, only 74 instead of 82 % of 600 routes in Monaco
    /// were as long as OSRM's.
    func remoteness(_ traits: RoadTraits) -> Double {
        if traits.kind == .ferry { return 1000 }
        return !traits[.tunnel] ? 0 : mode == .foot ? 100 : 10
    }

    /// True for tunnels of main roads on foot: most forbid it, which tiles rarely contain.
    func isUnsuitable(_ traits: RoadTraits) -> Bool {
        mode == .foot && traits[.tunnel] && traits.kind.isMain && traits.kind != .ferry
    }

    /// Returns the time for a metre in seconds, which is longer than the cost on stairs.
    func time(_ traits: RoadTraits, isForward: Bool) -> Double {
        if mode == .foot, traits.kind == .steps { return 3.6 / 2.5 }
        return 3.6 / (speed(traits, isForward: isForward) ?? 5)
    }

    /// True where a bicycle is pushed against the direction of a one-way road.
    func isPushed(_ traits: RoadTraits, isForward: Bool) -> Bool {
        mode == .bicycle && !isForward && traits[.forward] && !traits[.contraflow]
    }

    /// Returns the speed in km/h; nil if the direction is forbidden.
    private func speed(_ traits: RoadTraits, isForward: Bool) -> Double? {
        switch mode {
        case .car: isForward || !traits[.forward] ? carSpeed(traits) : nil
        case .bicycle: bicycleSpeed(traits, isAgainst: !isForward && traits[.forward])
        default: footSpeed(traits)
        }
    }

    private func carSpeed(_ traits: RoadTraits) -> Double? {
        guard !traits[.noCar] else { return nil }
        let isLink = traits[.link]
        return switch traits.kind {
        case .motorway: isLink ? 45 : 95
        case .trunk: isLink ? 40 : 50
        case .primary: isLink ? 30 : 48
        case .secondary: isLink ? 25 : 43
        case .tertiary: isLink ? 20 : 37
        case .minor: 27
        case .living: 10
        case .service: traits[.slow] ? 9 : 18
        case .ferry: 5
        case .track, .cycleway, .path, .footway, .pedestrian, .steps, .bridleway: nil
        }
    }

    /// Against a one-way road, bicycles are pushed, unless they are expressly allowed. Underpasses are slow,
    /// because bicycles are forbidden in many, which tiles rarely contain.
    private func bicycleSpeed(_ traits: RoadTraits, isAgainst: Bool) -> Double? {
        guard !traits[.noBicycle] else { return nil }
        if isAgainst, isPushed(traits, isForward: false) {
            let isClosed = traits[.roundabout] || traits[.tunnel] && traits.kind.isMain
            return isClosed ? nil : footSpeed(traits).map { min($0, 4) }
        }
        switch traits.kind {
        case .motorway: return nil
        case .trunk: return traits[.link] ? nil : 14
        case .primary, .secondary, .tertiary, .minor, .living, .service, .cycleway: return 15
        case .track: return 12
        case .path: return 13
        case .footway where traits[.tunnel]: return traits[.bicycle] ? 13 : 3
        case .footway, .pedestrian, .bridleway: return traits[.bicycle] ? 13 : 4.5
        case .steps: return 2
        case .ferry: return 5
        }
    }

    private func footSpeed(_ traits: RoadTraits) -> Double? {
        traits[.noFoot] || [.motorway, .trunk].contains(traits.kind) ? nil : 5
    }
}
