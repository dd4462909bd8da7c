#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The CPU time of all threads of this process, user and system. On a shared machine it is more
/// reliable than the elapsed time.
struct ProcessorTime {
    let seconds: Double

    static var now: ProcessorTime {
        var usage = rusage()
        #if canImport(Glibc)
            unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
        #else
            unsafe getrusage(RUSAGE_SELF, &usage)
        #endif
        return ProcessorTime(seconds: usage.ru_utime.seconds + usage.ru_stime.seconds)
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1_000_000 }
}
