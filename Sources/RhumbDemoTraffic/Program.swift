internal import Glibc
internal import RhumbDemo

/// `make demo-traffic`: serves simulated traffic on a port, or on any free one, until it is interrupted.
@main
enum Program {
    static func main() throws {
        let traffic = DemoTraffic(seconds: { time(nil) })
        let port = CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 0
        let server = try DemoServer(port: port) { traffic.answer($0) }
        print(
            """
            Simulated traffic at \(server.address). In another terminal, run:
              RHUMB_TOMTOM_URL=\(server.address) TOMTOM_API_KEY=demo rhumb --traffic vector -c 52.52,13.40 -z 9
              curl \(server.address)/demo/model       creates new incidents
              curl \(server.address)/demo/fault/429   simulates failures; /demo/fault/none ends that
            --traffic all shows image tiles; /demo/fault/damage sends damaged vector tiles
            """)
        fflush(nil)
        withExtendedLifetime(server) { while true { pause() } }
    }
}
