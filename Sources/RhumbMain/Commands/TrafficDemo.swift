internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import RhumbDemo

/// `rhumb source demo-traffic`: simulated traffic, served until somebody interrupts it.
enum TrafficDemo {
    static func run(_ invocation: Invocation) throws -> Int32 {
        let traffic = DemoTraffic(seconds: { time(nil) })
        let server = try DemoServer(port: UInt16(invocation[.port] ?? 0)) { traffic.answer($0) }
        try Output.print(
            """
            simulated traffic at \(server.address); in another terminal:
              RHUMB_TOMTOM_URL=\(server.address) TOMTOM_API_KEY=demo rhumb --traffic vector -c 52.52,13.40 -z 9
              curl \(server.address)/demo/model       makes new incidents
              curl \(server.address)/demo/fault/429   has it fail; /demo/fault/none ends that
            pictures are shown for --traffic all; /demo/fault/damage has vector tiles arrive damaged

            """)
        return withExtendedLifetime(server) { while true { pause() } }
    }
}
