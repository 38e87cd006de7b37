import MagpieHTTP
import MagpieTestSupport
import Testing

@testable import Magpie

@Suite struct TicketTests {
    private final class Operation: SharedOperation {
        let told = Recorder<String>()
        func cancel() { told.record("cancel") }
        func setPriority(_ priority: HTTPPriority) { told.record("\(priority)") }
    }

    @Test func theFirstOutcomeStands() async {
        let ticket = Ticket<Int>(priority: .normal)
        let seen = Recorder<String>()
        ticket.observe { seen.record("\($0)") }
        ticket.deliver(.success(1))
        ticket.deliver(.success(2))
        ticket.cancel()
        #expect(seen.elements.count == 1)
        guard case .success(1) = await ticket.outcome() else {
            Issue.record("not the first")
            return
        }
    }

    @Test func cancellingDeliversAtOnceAndLeavesTheWork() async {
        let ticket = Ticket<Int>(priority: .normal)
        let operation = Operation()
        ticket.attach(operation)
        ticket.cancel()
        #expect(operation.told.elements == ["normal", "cancel"])
        guard case .failure(.cancelled) = await ticket.outcome() else {
            Issue.record("not cancelled")
            return
        }
    }

    @Test func workThatIsAttachedAfterCancellingIsCancelled() {
        let ticket = Ticket<Int>(priority: .normal)
        ticket.cancel()
        let operation = Operation()
        ticket.attach(operation)
        #expect(operation.told.elements == ["cancel"])
    }

    @Test func aPriorityThatChangedBeforeAttachingArrives() {
        let ticket = Ticket<Int>(priority: .low)
        ticket.priority = .high
        let operation = Operation()
        ticket.attach(operation)
        #expect(operation.told.elements == ["high"])
    }

    @Test func whoComesLateHearsOfProgressAndOutcome() {
        let ticket = Ticket<Int>(priority: .normal)
        ticket.report(HTTPProgress(completed: 5, expected: 10))
        ticket.deliver(.success(3))
        let seen = Recorder<String>()
        ticket.observe {
            seen.record("\($0.completed)")
        } completed: { _ in
            seen.record("done")
        }
        #expect(seen.elements == ["5", "done"])
    }

    @Test func cancellingTheSwiftTaskCancels() async {
        let ticket = Ticket<Int>(priority: .normal)
        let task = Task { await ticket.outcomeCancelledWithTask() }
        task.cancel()
        guard case .failure(.cancelled) = await task.value else {
            Issue.record("not cancelled")
            return
        }
    }
}
