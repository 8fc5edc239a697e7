internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import RhumbDemo

/// `rhumb source demo-traffic`: serves simulated traffic until it is interrupted.
enum TrafficDemo {
    static func run(_ invocation: Invocation) throws -> Int32 {
        let traffic = DemoTraffic(seconds: { time(nil) })
        let server = try DemoServer(port: UInt16(invocation[.port] ?? 0)) { traffic.answer($0) }
        try Output.print(
            """
            Simulated traffic at \(server.address). In another terminal, run:
              RHUMB_TOMTOM_URL=\(server.address) TOMTOM_API_KEY=demo rhumb --traffic vector -c 52.52,13.40 -z 9
              curl \(server.address)/demo/model       creates new incidents
              curl \(server.address)/demo/fault/429   simulates failures; /demo/fault/none ends that
            --traffic all shows image tiles; /demo/fault/damage sends damaged vector tiles

            """)
        return withExtendedLifetime(server) { while true { pause() } }
    }
}
