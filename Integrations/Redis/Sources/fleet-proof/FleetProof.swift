@main enum FleetProof { static func main() async throws {} }
