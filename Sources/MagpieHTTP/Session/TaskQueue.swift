/// Decides which of the waiting tasks runs next.
///
/// A task may start while fewer than `limits.total` run, and fewer than `limits.perHost` for its host. Of the tasks that
/// may start, one of the highest priority is taken, and among those the first or the last that came, by `order`,
/// whatever its host. A host at its limit holds nobody back but its own tasks.
///
/// Adding, removing and moving a task touch linked lists only; a heap of the hosts that have a task to start is kept
/// beside them, so the work grows with the logarithm of the number of waiting hosts and not with that of tasks.
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
        didSet { if order != oldValue { refreshAll() } }
    }

    /// How many tasks wait.
    private(set) var waitingCount = 0

    /// How many tasks run.
    private(set) var runningCount = 0

    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var hosts: [HostQueue] = []
    private var freeHosts: [Int] = []
    private var hostNumbers: [String: Int] = [:]
    private var ready: [HostHeap]
    private var nextSequence: Int64 = 0

    /// One task, and its neighbours in the list of its host and priority.
    private struct Slot {
        var payload: Payload?
        var isRunning = false
        var host = 0
        var priority = 0
        /// Which task it is; tells a slot's tasks apart.
        var sequence: Int64 = 0
        /// When it came to its list.
        var arrival: Int64 = 0
        var previous: Int?
        var next: Int?
    }

    /// The tasks of one host: a list of the waiting ones a priority, in the order of their coming.
    private struct HostQueue {
        struct List {
            var first: Int?
            var last: Int?
        }

        let name: String
        var taskCount = 0
        var runningCount = 0
        var lists = [List](repeating: List(), count: HTTPPriority.allCases.count)
    }

    init(limits: Limits, order: HTTPTaskOrder) {
        self.limits = limits
        self.order = order
        ready = Array(repeating: HostHeap(), count: HTTPPriority.allCases.count)
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
        link(index)
        return Ticket(slot: index, sequence: slot.sequence)
    }

    /// Takes the next task that may start, which counts as running from now on.
    mutating func dequeue() -> Payload? {
        guard runningCount < limits.total else { return nil }
        for priority in ready.indices.reversed() {
            guard let host = ready[priority].top else { continue }
            let list = hosts[host].lists[priority]
            guard let index = order == .fifo ? list.first : list.last else { continue }
            unlink(index)
            slots[index].isRunning = true
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
        if slot.isRunning {
            runningCount -= 1
            hosts[slot.host].runningCount -= 1
            if hosts[slot.host].runningCount == limits.perHost - 1 { refresh(slot.host) }
        } else {
            unlink(ticket.slot)
            waitingCount -= 1
        }
        slots[ticket.slot] = Slot()
        freeSlots.append(ticket.slot)
        hosts[slot.host].taskCount -= 1
        if hosts[slot.host].taskCount == 0 { forget(slot.host) }
        return true
    }

    /// Forgets a task only where it still waits; false otherwise.
    mutating func removeWaiting(_ ticket: Ticket) -> Bool {
        guard isCurrent(ticket), !slots[ticket.slot].isRunning else { return false }
        return remove(ticket)
    }

    /// Moves a waiting task to another priority, where it counts as the last that came.
    mutating func setPriority(_ priority: HTTPPriority, of ticket: Ticket) {
        guard isCurrent(ticket), !slots[ticket.slot].isRunning, slots[ticket.slot].priority != priority.rawValue
        else { return }
        unlink(ticket.slot)
        slots[ticket.slot].priority = priority.rawValue
        link(ticket.slot)
    }

    private func isCurrent(_ ticket: Ticket) -> Bool {
        slots.indices.contains(ticket.slot) && slots[ticket.slot].sequence == ticket.sequence
    }
}

// MARK: - Lists

extension TaskQueue {
    /// Puts the slot at the end of its list.
    private mutating func link(_ index: Int) {
        let (host, priority) = (slots[index].host, slots[index].priority)
        nextSequence += 1
        slots[index].arrival = nextSequence
        slots[index].previous = hosts[host].lists[priority].last
        slots[index].next = nil
        if let last = slots[index].previous {
            slots[last].next = index
        } else {
            hosts[host].lists[priority].first = index
        }
        hosts[host].lists[priority].last = index
        refresh(host, priority)
    }

    /// Takes the slot out of its list.
    private mutating func unlink(_ index: Int) {
        let (host, priority) = (slots[index].host, slots[index].priority)
        let (previous, next) = (slots[index].previous, slots[index].next)
        if let previous { slots[previous].next = next } else { hosts[host].lists[priority].first = next }
        if let next { slots[next].previous = previous } else { hosts[host].lists[priority].last = previous }
        slots[index].previous = nil
        slots[index].next = nil
        refresh(host, priority)
    }

    /// The number of the host, which is remembered until its last task is gone.
    private mutating func number(of name: String) -> Int {
        if let known = hostNumbers[name] { return known }
        let host: Int
        if let free = freeHosts.popLast() {
            host = free
            hosts[host] = HostQueue(name: name)
        } else {
            host = hosts.count
            hosts.append(HostQueue(name: name))
        }
        hostNumbers[name] = host
        return host
    }

    private mutating func forget(_ host: Int) {
        hostNumbers[hosts[host].name] = nil
        freeHosts.append(host)
    }
}

// MARK: - Hosts with a task to start

extension TaskQueue {
    /// Puts the host where it belongs in the heap of the priority, or takes it out.
    private mutating func refresh(_ host: Int, _ priority: Int) {
        let list = hosts[host].lists[priority]
        let candidate = order == .fifo ? list.first : list.last
        guard let candidate, hosts[host].runningCount < limits.perHost else { return ready[priority].remove(host) }
        let arrival = slots[candidate].arrival
        ready[priority].set(host, key: order == .fifo ? arrival : -arrival)
    }

    private mutating func refresh(_ host: Int) {
        for priority in ready.indices { refresh(host, priority) }
    }

    private mutating func refreshAll() {
        for host in hostNumbers.values { refresh(host) }
    }
}
