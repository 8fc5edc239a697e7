/// Instructions in words. Composed of kind, direction, name, exit and signs, because engines send these
/// separately or in another language.
extension RouteStep {
    /// Returns the instruction as a sentence without a final full stop.
    /// - Parameter stop: Number of the intermediate place that an arrival reaches, from 1; nil for the
    ///   destination.
    public func instruction(stop: Int? = nil) -> String {
        if let sentence { return sentence }
        switch manoeuvre.kind {
        case .depart: return departure
        case .arrive: return arrival(stop)
        case .turn: return joined(turn, "onto")
        case .newName: return joined("Continue", "on")
        case .proceed where [nil, .straight].contains(manoeuvre.direction): return joined("Continue", "on")
        case .proceed where road.isEmpty && !isStraight: return joined("Follow the road \(side)", "on")
        case .proceed: return joined(turn, "to stay on")
        case .merge: return joined(isStraight ? "Merge" : "Merge \(side)", "onto")
        case .onRamp: return joined(isStraight ? "Take the ramp" : "Take the ramp on the \(side)", "onto")
        case .offRamp: return joined(exit, "onto")
        case .fork:
            return joined(isStraight ? "Keep straight on at the fork" : "Keep \(side) at the fork", "onto")
        case .endOfRoad: return joined("At the end of the road \(turn.loweringFirst)", "onto")
        case .roundabout: return joined(roundabout, "onto")
        case .exitRoundabout: return joined("Leave the roundabout", "onto")
        case .roundaboutTurn: return joined("At the roundabout \(turn.loweringFirst)", "onto")
        case .ferry: return name.isEmpty ? "Take the ferry" : "Take the ferry \(name)"
        }
    }

    /// The name and number of the road after the manoeuvre.
    public var road: String {
        if name.isEmpty { return reference }
        return reference.isEmpty || name.contains(reference) ? name : "\(name) (\(reference))"
    }

    private func joined(_ text: String, _ preposition: String) -> String {
        let way = road.isEmpty ? text : "\(text) \(preposition) \(road)"
        return destinations.isEmpty || destinations == road ? way : "\(way) towards \(destinations)"
    }

    private var departure: String {
        joined(manoeuvre.bearing.map { "Head \(PlaceBearing.compassWord($0))" } ?? "Set out", "on")
    }

    private func arrival(_ stop: Int?) -> String {
        let sentence = stop.map { "Arrive at stop \($0)" } ?? "Arrive"
        return side.isEmpty || isStraight ? sentence : "\(sentence), on the \(side)"
    }

    private var turn: String {
        switch manoeuvre.direction {
        case .straight?: "Continue straight"
        case .slightRight?: "Bear right"
        case .right?: "Turn right"
        case .sharpRight?: "Turn sharp right"
        case .uTurn?: "Turn around"
        case .sharpLeft?: "Turn sharp left"
        case .left?: "Turn left"
        case .slightLeft?: "Bear left"
        case nil: "Continue"
        }
    }

    private var exit: String {
        let exit = exits.isEmpty ? "Take the exit" : "Take exit \(exits)"
        return isStraight ? exit : "\(exit) on the \(side)"
    }

    private var roundabout: String {
        manoeuvre.exit.map { "At the roundabout take the \(RouteStep.ordinal($0)) exit" }
            ?? "Enter the roundabout"
    }

    private var isStraight: Bool { side.isEmpty }

    /// "left" or "right"; empty for neither.
    private var side: String {
        switch manoeuvre.direction {
        case .slightRight?, .right?, .sharpRight?: "right"
        case .slightLeft?, .left?, .sharpLeft?: "left"
        case .straight?, .uTurn?, nil: ""
        }
    }

    private static func ordinal(_ number: Int) -> String {
        let words = [
            "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
        ]
        return words.indices.contains(number - 1) ? words[number - 1] : "\(number)th"
    }
}

extension String {
    fileprivate var loweringFirst: String { prefix(1).lowercased() + dropFirst() }
}

extension Manoeuvre {
    /// Returns the symbol of the manoeuvre, one column wide.
    /// - Parameter isUnicode: False for an ASCII character.
    public func sign(isUnicode: Bool) -> String {
        switch kind {
        case .depart: isUnicode ? "◉" : "o"
        case .arrive: isUnicode ? "⚑" : "X"
        case .ferry: isUnicode ? "≈" : "~"
        // As in words, the road only has another name.
        case .newName: Direction.straight.sign(isUnicode: isUnicode)
        case .roundabout, .exitRoundabout: isUnicode ? (keepsLeft ? "↻" : "↺") : "@"
        default: (direction ?? .straight).sign(isUnicode: isUnicode)
        }
    }
}

extension Manoeuvre.Direction {
    fileprivate func sign(isUnicode: Bool) -> String {
        switch self {
        case .straight: isUnicode ? "↑" : "^"
        case .slightRight: isUnicode ? "↗" : "/"
        case .right: isUnicode ? "→" : ">"
        case .sharpRight: isUnicode ? "↘" : "7"
        case .uTurn: isUnicode ? "↶" : "U"
        case .sharpLeft: isUnicode ? "↙" : "L"
        case .left: isUnicode ? "←" : "<"
        case .slightLeft: isUnicode ? "↖" : "\\"
        }
    }
}
