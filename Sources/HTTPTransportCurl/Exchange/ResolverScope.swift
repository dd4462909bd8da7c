/// The transports whose resolvers the current task works for.
///
/// A request that such a task sends over the same transport must not wait for the resolver, which
/// may wait for the request.
enum ResolverScope {
    @TaskLocal static var owners: [LoopSettings] = []
}
