import Foundation

/// A value behind a lock that many threads may have at once to read, or one to change.
///
/// Readers take one of some locks, chosen by their thread, so that two threads that read at once touch no memory in
/// common; a writer takes all of them. With each of these locks goes a tally that its readers may change, such as a
/// count of what they did.
struct ReadersLock<Value: ~Copyable, Tally>: ~Copyable {
    private struct Stripe {
        var mutex = pthread_mutex_t()
        var tally: Tally
    }

    private static var stripeCount: Int { 16 }
    /// Two cache lines, which processors fetch together: no two stripes share them.
    private static var alignment: Int { 128 }
    private static var stride: Int { (MemoryLayout<Stripe>.size + alignment - 1) / alignment * alignment }

    private let stripes: UnsafeMutableRawPointer
    private let value: UnsafeMutablePointer<Value>

    /// Protects a value, which nobody else may hold.
    ///
    /// - Parameters:
    ///   - value: what is protected.
    ///   - tally: how each tally begins.
    init(_ value: consuming sending Value, tally: Tally) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        stripes = .allocate(byteCount: Self.stripeCount * Self.stride, alignment: Self.alignment)
        for index in 0..<Self.stripeCount {
            let stripe = (stripes + index * Self.stride).bindMemory(to: Stripe.self, capacity: 1)
            stripe.initialize(to: Stripe(tally: tally))
            pthread_mutex_init(Self.mutex(of: stripe), nil)
        }
    }

    deinit {
        for index in 0..<Self.stripeCount {
            pthread_mutex_destroy(Self.mutex(of: stripe(index)))
            stripe(index).deinitialize(count: 1)
        }
        stripes.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Gives `body` the value to read, as it may be given to other threads at the same time.
    ///
    /// Not to be called from within itself.
    @inline(__always)
    func withReading<Result>(_ body: (borrowing Value, inout Tally) -> Result) -> Result {
        let stripe = stripe(Self.stripeOfThisThread)
        pthread_mutex_lock(Self.mutex(of: stripe))
        defer { pthread_mutex_unlock(Self.mutex(of: stripe)) }
        return body(value.pointee, &stripe.pointee.tally)
    }

    /// Gives `body` the value while no other thread has it.
    func withWriting<Result>(_ body: (inout Value) -> Result) -> Result {
        for index in 0..<Self.stripeCount { pthread_mutex_lock(Self.mutex(of: stripe(index))) }
        defer { for index in 0..<Self.stripeCount { pthread_mutex_unlock(Self.mutex(of: stripe(index))) } }
        return body(&value.pointee)
    }

    /// The tallies, one after the other; others may change meanwhile.
    var tallies: [Tally] {
        (0..<Self.stripeCount).map { index in
            pthread_mutex_lock(Self.mutex(of: stripe(index)))
            defer { pthread_mutex_unlock(Self.mutex(of: stripe(index))) }
            return stripe(index).pointee.tally
        }
    }

    private func stripe(_ index: Int) -> UnsafeMutablePointer<Stripe> {
        (stripes + index * Self.stride).assumingMemoryBound(to: Stripe.self)
    }

    /// The first member of a structure has the structure's address.
    private static func mutex(of stripe: UnsafeMutablePointer<Stripe>) -> UnsafeMutablePointer<pthread_mutex_t> {
        UnsafeMutableRawPointer(stripe).assumingMemoryBound(to: pthread_mutex_t.self)
    }

    /// Spreads the addresses of threads, which lie a stack apart, by multiplying them with the golden ratio.
    private static var stripeOfThisThread: Int {
        #if canImport(Darwin)
        let thread = UInt64(UInt(bitPattern: pthread_self()))
        #else
        let thread = UInt64(pthread_self())
        #endif
        return Int(truncatingIfNeeded: ((thread >> 12) &* 0x9E37_79B9_7F4A_7C15) >> 60)
    }
}

/// `@unchecked Sendable`: the value is changed while all locks are held alone, a tally while its lock is.
extension ReadersLock: @unchecked Sendable where Value: ~Copyable {}
