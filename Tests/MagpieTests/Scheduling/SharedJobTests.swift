import MagpieHTTP
import MagpieTestSupport
import Synchronization
import Testing

@testable import Magpie

@Suite struct SharedJobTests {
    /// An operation that remembers what it was told.
    private final class Operation: SharedOperation {
        let told = Recorder<String>()
        func cancel() { told.record("cancel") }
        func setPriority(_ priority: HTTPPriority) { told.record("\(priority)") }
    }

    private typealias Table = JobTable<String, Int>
    private typealias Waiter = SharedJob<Int>.Waiter

    private func waiter(_ results: Recorder<String>, _ name: String, _ priority: HTTPPriority = .normal) -> Waiter {
        Waiter(priority: priority) { outcome in
            switch outcome {
            case .success(let value): results.record("\(name) \(value)")
            case .failure(let error): results.record("\(name) \(error.code)")
            }
        }
    }

    @Test func runsOnceForAllWhoWant() {
        let table = Table()
        let results = Recorder<String>()
        let starts = Recorder<SharedJob<Int>>()
        for name in ["a", "b", "c"] {
            _ = table.join("key", waiter(results, name)) { starts.record($0) }
        }
        #expect(starts.elements.count == 1)
        starts.elements[0].finish(.success(7))
        starts.elements[0].finish(.success(8))
        #expect(results.elements.sorted() == ["a 7", "b 7", "c 7"])
        #expect(table.count == 0)
    }

    @Test func differentKeysAreDifferentJobs() {
        let table = Table()
        let starts = Recorder<SharedJob<Int>>()
        for key in ["a", "b"] {
            _ = table.join(key, waiter(Recorder(), key)) { starts.record($0) }
        }
        #expect(starts.elements.count == 2)
        #expect(table.count == 2)
    }

    @Test func theLastWhoLeavesCancels() {
        let table = Table()
        let results = Recorder<String>()
        let operation = Operation()
        let start: (SharedJob<Int>) -> Void = { $0.setOperation(operation, step: 0) }
        let first = table.join("key", waiter(results, "a"), start: start)
        let second = table.join("key", waiter(results, "b"), start: start)
        first.cancel()
        first.cancel()
        #expect(!operation.told.elements.contains("cancel"))
        second.cancel()
        #expect(operation.told.elements.filter { $0 == "cancel" }.count == 1)
        #expect(results.elements.isEmpty)
        #expect(table.count == 0)
    }

    @Test func whoComesAfterTheLastLeftGetsANewJob() {
        let table = Table()
        let results = Recorder<String>()
        let starts = Recorder<SharedJob<Int>>()
        table.join("key", waiter(results, "a")) { starts.record($0) }.cancel()
        _ = table.join("key", waiter(results, "b")) { starts.record($0) }
        #expect(starts.elements.count == 2)
        // The abandoned job's late result reaches nobody and does not take the new job out of the table.
        starts.elements[0].finish(.success(1))
        #expect(table.count == 1)
        starts.elements[1].finish(.success(2))
        #expect(results.elements == ["b 2"])
    }

    @Test func theHighestPriorityAmongTheWaitersCounts() {
        let table = Table()
        let operation = Operation()
        let start: (SharedJob<Int>) -> Void = { $0.setOperation(operation, step: 0) }
        let low = table.join("key", waiter(Recorder(), "a", .low), start: start)
        let high = table.join("key", waiter(Recorder(), "b", .high), start: start)
        high.cancel()
        low.setPriority(.veryHigh)
        low.setPriority(.veryHigh)
        #expect(operation.told.elements == ["low", "high", "low", "veryHigh"])
    }

    @Test func anOperationNamedAfterTheEndIsCancelled() {
        let table = Table()
        let started = Recorder<SharedJob<Int>>()
        table.join("key", waiter(Recorder(), "a")) { started.record($0) }.cancel()
        let operation = Operation()
        started.elements[0].setOperation(operation, step: 0)
        #expect(operation.told.elements == ["cancel"])
    }

    @Test func anOperationNamedTooLateDoesNotReplaceTheNext() {
        let table = Table()
        let (first, second) = (Operation(), Operation())
        let place = table.join("key", waiter(Recorder(), "a")) { job in
            job.setOperation(second, step: 1)
            job.setOperation(first, step: 0)
        }
        place.cancel()
        #expect(first.told.elements.isEmpty)
        #expect(second.told.elements.last == "cancel")
    }

    @Test func progressReachesThoseWhoAsk() {
        let table = Table()
        let seen = Recorder<Int64>()
        var waiter = waiter(Recorder(), "a")
        waiter.progressed = { seen.record($0.completed) }
        _ = table.join("key", waiter) { job in
            job.report(HTTPProgress(completed: 10, expected: 20))
            job.report(HTTPProgress(completed: 20, expected: 20))
        }
        #expect(seen.elements == [10, 20])
    }

    @Test func finishAndLeaveFromManyThreadsDeliverOnce() async {
        for _ in 0..<200 {
            let table = Table()
            let results = Recorder<String>()
            let jobs = Recorder<SharedJob<Int>>()
            let places = (0..<4).map { index in
                table.join("key", waiter(results, "\(index)")) { jobs.record($0) }
            }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { jobs.elements[0].finish(.success(1)) }
                for place in places.prefix(2) { group.addTask { place.cancel() } }
            }
            // Those who stayed have their result; those who left have it at most once.
            #expect(results.elements.filter { $0.hasPrefix("2") || $0.hasPrefix("3") }.count == 2)
            #expect(Set(results.elements).count == results.elements.count)
            #expect(table.count == 0)
        }
    }
}
