/// Decides which of the waiting tasks runs next.
///
/// A task may start while fewer than `limits.total` run, and fewer than `limits.perHost` for its host. Of the tasks that
/// may start, one of the highest priority is taken, and among those the first or the last that came, by `order`,
/// whatever its host. A host at its limit holds nobody back but its own tasks.
///
/// Adding, removing and moving a task touch two heaps: that of the host's waiting tasks, and that of the hosts that have a
/// task to start. The work grows with the logarithm of their numbers.
/// A pure value: whoever owns it does the locking and the starting.
struct TaskQueue<Payload> {
    /// How many tasks may run at once.
    struct Limits: Hashable {
        var total: Int
        var perHost: Int
    }

    /// Names a task from `enqueue` to `remove`.
    struct Ticket: Hashable {
        fileprivate let slot: Int
        fileprivate let sequence: Int64
    }

    /// How many tasks may run; changing it stops nobody.
    var limits: Limits {
        didSet { if limits.perHost != oldValue.perHost { refreshAll() } }
    }

    /// Which task of a priority goes first.
    var order: HTTPTaskOrder {
        didSet { if order != oldValue { sortAll() } }
    }

    /// How many tasks wait.
    private(set) var waitingCount = 0

    /// How many tasks run.
    private(set) var runningCount = 0

    var slots: [Slot] = []
    var freeSlots: [Int] = []
    var hosts: [HostQueue] = []
    var freeHosts: [Int] = []
    var hostNumbers: [String: Int] = [:]
    var slotPlaces: PlacedHeap.Places = []
    var ready: [PlacedHeap]
    var readyPlaces: [PlacedHeap.Places]
    var nextSequence: Int64 = 0

    /// Whether a task has its turn.
    enum Standing {
        case waiting
        /// It waits, and cannot get its turn until it is released.
        case parked
        case running
    }

    /// One task.
    struct Slot {
        var payload: Payload?
        var standing = Standing.waiting
        var host = 0
        var priority = 0
        /// Which task it is; tells a slot's tasks apart.
        var sequence: Int64 = 0
        /// When it came to its list.
        var arrival: Int64 = 0
    }

    /// The tasks of one host: for each priority a heap of the waiting ones, with the next one on top.
    struct HostQueue {
        let name: String
        var taskCount = 0
        var runningCount = 0
        var lists = [PlacedHeap](repeating: PlacedHeap(), count: HTTPPriority.allCases.count)
    }

    init(limits: Limits, order: HTTPTaskOrder) {
        self.limits = limits
        self.order = order
        ready = Array(repeating: PlacedHeap(), count: HTTPPriority.allCases.count)
        readyPlaces = Array(repeating: [], count: HTTPPriority.allCases.count)
    }

    /// The tasks that wait or run, in no order.
    var payloads: [Payload] { slots.compactMap(\.payload) }

    /// How many hosts are remembered; none is once its last task is gone.
    var hostCount: Int { hostNumbers.count }

    /// Adds a task that waits.
    mutating func enqueue(_ payload: Payload, host: String, priority: HTTPPriority) -> Ticket {
        nextSequence += 1
        let slot = Slot(payload: payload, host: number(of: host), priority: priority.rawValue, sequence: nextSequence)
        let index: Int
        if let free = freeSlots.popLast() {
            index = free
            slots[index] = slot
        } else {
            index = slots.count
            slots.append(slot)
        }
        hosts[slot.host].taskCount += 1
        waitingCount += 1
        append(index)
        return Ticket(slot: index, sequence: slot.sequence)
    }

    /// Takes the next task that may start, which counts as running from now on.
    mutating func dequeue() -> Payload? {
        guard runningCount < limits.total else { return nil }
        for priority in ready.indices.reversed() {
            guard let host = ready[priority].top else { continue }
            guard let index = hosts[host].lists[priority].top else { continue }
            takeOut(index)
            slots[index].standing = .running
            waitingCount -= 1
            runningCount += 1
            hosts[host].runningCount += 1
            if hosts[host].runningCount == limits.perHost { refresh(host) }
            return slots[index].payload
        }
        return nil
    }

    /// Forgets a task, whether it waits or runs; false where the ticket is spent.
    @discardableResult
    mutating func remove(_ ticket: Ticket) -> Bool {
        guard isCurrent(ticket) else { return false }
        let slot = slots[ticket.slot]
        switch slot.standing {
        case .waiting:
            takeOut(ticket.slot)
            waitingCount -= 1
        case .parked: waitingCount -= 1
        case .running: freePlace(of: slot.host)
        }
        slots[ticket.slot] = Slot()
        freeSlots.append(ticket.slot)
        hosts[slot.host].taskCount -= 1
        if hosts[slot.host].taskCount == 0 { forget(slot.host) }
        return true
    }

    /// Forgets a task only where it still waits; false otherwise.
    mutating func removeWaiting(_ ticket: Ticket) -> Bool {
        guard isCurrent(ticket), slots[ticket.slot].standing != .running else { return false }
        return remove(ticket)
    }

    /// Moves a waiting task to another priority, where it counts as the last that came.
    mutating func setPriority(_ priority: HTTPPriority, of ticket: Ticket) {
        guard isCurrent(ticket), slots[ticket.slot].priority != priority.rawValue else { return }
        switch slots[ticket.slot].standing {
        case .waiting:
            takeOut(ticket.slot)
            slots[ticket.slot].priority = priority.rawValue
            append(ticket.slot)
        case .parked: slots[ticket.slot].priority = priority.rawValue
        case .running: break
        }
    }

    /// Keeps a task from its turn until it is released.
    ///
    /// A waiting one keeps its place among the others, a running one gives its place to the next.
    mutating func park(_ ticket: Ticket) {
        guard isCurrent(ticket) else { return }
        switch slots[ticket.slot].standing {
        case .waiting: takeOut(ticket.slot)
        case .parked: return
        case .running:
            freePlace(of: slots[ticket.slot].host)
            waitingCount += 1
        }
        slots[ticket.slot].standing = .parked
    }

    /// Lets a parked task wait for its turn again, at the place of its coming.
    mutating func release(_ ticket: Ticket) {
        guard isCurrent(ticket), slots[ticket.slot].standing == .parked else { return }
        slots[ticket.slot].standing = .waiting
        insert(ticket.slot)
    }

    /// Moves a parked task to another host.
    mutating func setHost(_ name: String, of ticket: Ticket) {
        guard isCurrent(ticket), slots[ticket.slot].standing == .parked else { return }
        let old = slots[ticket.slot].host
        guard hosts[old].name != name else { return }
        let new = number(of: name)
        slots[ticket.slot].host = new
        hosts[new].taskCount += 1
        hosts[old].taskCount -= 1
        if hosts[old].taskCount == 0 { forget(old) }
    }

    private mutating func freePlace(of host: Int) {
        runningCount -= 1
        hosts[host].runningCount -= 1
        if hosts[host].runningCount == limits.perHost - 1 { refresh(host) }
    }

    /// Whether the task has its turn, and for this host.
    func isRunning(_ ticket: Ticket, for host: String) -> Bool {
        guard isCurrent(ticket) else { return false }
        let slot = slots[ticket.slot]
        return slot.standing == .running && hosts[slot.host].name == host
    }

    private func isCurrent(_ ticket: Ticket) -> Bool {
        slots.indices.contains(ticket.slot) && slots[ticket.slot].sequence == ticket.sequence
    }
}
