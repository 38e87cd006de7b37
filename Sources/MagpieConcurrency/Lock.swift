package import Foundation

/// A value behind a lock, for short, synchronous work.
///
/// Used in the way of `Synchronization.Mutex`. That one is implemented on Linux in a part of the standard library that
/// the thread sanitizer cannot look into, so that it reports a race for each value so protected; a lock of the system's
/// library is understood by it, and as fast.
package struct Lock<Value>: ~Copyable {
    @usableFromInline
    package struct Storage {
        @usableFromInline package var mutex = pthread_mutex_t()
        @usableFromInline package var value: Value

        @inlinable
        package init(value: Value) { self.value = value }
    }

    @usableFromInline package let storage: UnsafeMutablePointer<Storage>
    @usableFromInline package let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Protects a value, which nobody else may hold.
    @inlinable
    package init(_ value: sending Value) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage(value: value))
        // The first member of a structure has the structure's address.
        mutex = UnsafeMutableRawPointer(storage).assumingMemoryBound(to: pthread_mutex_t.self)
        pthread_mutex_init(mutex, nil)
    }

    @inlinable deinit {
        pthread_mutex_destroy(mutex)
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    /// Gives `body` the value while no other thread has it.
    ///
    /// Not to be called from within itself.
    @inlinable
    package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&storage.pointee.value)
    }
}

/// `@unchecked Sendable`: the value is reached through the lock alone.
extension Lock: @unchecked Sendable {}
