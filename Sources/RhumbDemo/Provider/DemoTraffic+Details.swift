internal import RhumbCore

/// TomTom's Incident Details service, version 5.
extension DemoTraffic {
    func details(_ request: DemoRequest, _ path: [String]) -> DemoReply {
        let edges = (request.query("bbox") ?? "").split(separator: ",").compactMap { Double($0) }
        guard path == ["incidentDetails"], edges.count == 4,
            let bounds = Bounds(west: edges[0], south: edges[1], east: edges[2], north: edges[3]),
            let box = bounds.worldBoxes.first, box.maxX - box.minX < 0.02
        else { return .invalid("bbox") }
        guard let moment = moment(of: request.query("t")) else {
            return .invalid("traffic model id out of date")
        }
        let incidents = DemoIncident.near(box, upTo: 13, moment: moment).filter {
            bounds.contains(Mercator.coordinate($0.place))
        }
        return DemoReply.json(200, ["incidents": .array(incidents.prefix(100).map(json))])
            .adding([TrafficModel.header: DemoTraffic.model(of: moment)])
    }

    private func json(_ incident: DemoIncident) -> JSON {
        let line = incident.line.map { point -> JSON in
            let place = Mercator.coordinate(point)
            return [.number(place.longitude), .number(place.latitude)]
        }
        let delay = incident.magnitude * 150
        return [
            "type": "Feature",
            "geometry": ["type": "LineString", "coordinates": .array(line)],
            "properties": [
                "id": .string(incident.id), "iconCategory": .integer(incident.category),
                "magnitudeOfDelay": .integer(incident.magnitude),
                "events": [
                    ["description": .string(words(incident)), "iconCategory": .integer(incident.category)]
                ],
                "roadNumbers": [.string("D\(incident.road.level).\(abs(incident.road.index) % 100)")],
                "from": .string("Exit \(abs(incident.stretch) % 90)"),
                "to": .string("Exit \(abs(incident.stretch) % 90 + 1)"),
                "length": .integer(300 * incident.magnitude),
                "delay": incident.category == 8 ? .null : .integer(delay),
            ],
        ]
    }

    func words(_ incident: DemoIncident) -> String {
        switch incident.category {
        case 1: "Accident"
        case 7: "Lane closed"
        case 8: "Closed"
        case 9: "Roadworks"
        default: incident.magnitude > 2 ? "Stationary traffic" : "Queuing traffic"
        }
    }
}
