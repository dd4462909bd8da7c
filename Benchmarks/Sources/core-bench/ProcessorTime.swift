#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// CPU time of all threads of this process, user and system: on a shared machine it says more than
/// the time that passes.
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
