public import Foundation

extension Process {
    /// Runs the process with no signal blocked.
    ///
    /// The worker threads of Swift tasks block most signals, and a process started from one inherits that: it would hear
    /// neither of TERM and INT nor of the end of its children.
    public func runHearingSignals() throws {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}
