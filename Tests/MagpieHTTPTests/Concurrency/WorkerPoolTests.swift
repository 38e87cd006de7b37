import MagpieConcurrency
import MagpieTestSupport
import Testing

@testable import MagpieHTTP

@Suite(.timeLimit(.minutes(1))) struct WorkerPoolTests {
    @Test func runsTheHighestPriorityFirst() async {
        let pool = WorkerPool(name: "test", width: 1)
        let gate = TestGate()
        let order = Recorder<String>()
        pool.run { gate.block() }
        pool.run(priority: .low) { order.record("low") }
        pool.run { order.record("normal 1") }
        pool.run(priority: .high) { order.record("high") }
        pool.run { order.record("normal 2") }
        gate.open()
        #expect(await order.elements(4) == ["high", "normal 1", "normal 2", "low"])
    }

    @Test func workThatWaitsCanBeMovedAndTakenBack() async {
        let pool = WorkerPool(name: "test", width: 1)
        let gate = TestGate()
        let order = Recorder<String>()
        pool.run { gate.block() }
        let first = pool.run { order.record("first") }
        let second = pool.run { order.record("second") }
        pool.run { order.record("third") }
        second.setPriority(.high)
        first.cancel()
        gate.open()
        #expect(await order.elements(2) == ["second", "third"])
        #expect(order.elements.count == 2)
    }

    @Test func neverMoreThreadsThanItsWidth() async {
        let pool = WorkerPool(name: "test", width: 3)
        let running = Lock((now: 0, most: 0))
        let done = Recorder<Int>()
        for number in 0..<500 {
            pool.run {
                running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                running.withLock { $0.now -= 1 }
                done.record(number)
            }
        }
        _ = await done.elements(500)
        #expect(running.withLock { $0.most } <= 3)
    }

    @Test func performReturnsTheResult() async {
        let pool = WorkerPool(name: "test", width: 2)
        #expect(await pool.perform { 6 * 7 } == 42)
    }

    @Test func cancelledWorkIsLetGo() {
        final class Token: Sendable {}
        let pool = WorkerPool(name: "test", width: 1)
        let gate = TestGate()
        pool.run { gate.block() }
        weak var watched: Token?
        do {
            let token = Token()
            watched = token
            pool.run { _ = token }.cancel()
        }
        #expect(watched == nil)
        gate.open()
    }
}
