import MagpieConcurrency

/// Who asks the server about a stored answer, and who waits for what it learns.
final class HTTPCacheValidations: Sendable {
    private let waiters = Lock<[String: [CachingExchange]]>([:])

    /// Lets the exchange lead, or else wait for the one that leads already.
    func leads(_ key: String, orWaits exchange: CachingExchange) -> Bool {
        waiters.withLock { waiters in
            guard waiters[key] != nil else {
                waiters[key] = []
                return true
            }
            waiters[key]?.append(exchange)
            return false
        }
    }

    /// Lets the caller lead; false where another does.
    func leads(_ key: String) -> Bool {
        waiters.withLock { waiters in
            guard waiters[key] == nil else { return false }
            waiters[key] = []
            return true
        }
    }

    /// Ends the lead; those who have waited are to look again.
    func end(_ key: String) -> [CachingExchange] {
        waiters.withLock { $0.removeValue(forKey: key) } ?? []
    }

    /// Takes a waiting exchange away; false where it does not wait.
    func leave(_ key: String, _ exchange: CachingExchange) -> Bool {
        waiters.withLock { waiters in
            guard let place = waiters[key]?.firstIndex(where: { $0 === exchange }) else { return false }
            waiters[key]?.remove(at: place)
            return true
        }
    }
}
