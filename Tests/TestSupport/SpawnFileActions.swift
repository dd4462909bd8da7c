#if canImport(Glibc)
    import Glibc

    extension posix_spawn_file_actions_t {
        /// Calls `posix_spawn_file_actions_addclosefrom_np` of glibc 2.34 and newer, which Swift
        /// does not import. With an older glibc, descriptors that are not close-on-exec stay open
        /// in a child.
        package mutating func addCloseFrom(_ first: Int32) {
            typealias Function =
                @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
            let name = "posix_spawn_file_actions_addclosefrom_np"
            guard let symbol = unsafe dlsym(nil, name) else { return }
            _ = unsafe unsafeBitCast(symbol, to: Function.self)(&self, first)
        }
    }
#endif
