import CCurl
import CLinux
import Foundation

/// The event loop of a `CurlTransport`: libcurl's multi handle, the sockets it watches, its timer, and the time-outs.
///
/// `@unchecked Sendable`: made on one thread and then used by the thread that calls `run()` alone; others reach it
/// through `inbox`, which has its own lock.
final class CurlLoop: @unchecked Sendable {
    /// Where other threads post orders.
    let inbox: CurlInbox

    /// What all exchanges share.
    let limits: CurlTransport.Limits

    /// The time of the last wake-up, in nanoseconds of the monotonic clock.
    private(set) var now: Int64

    /// How many easy handles are kept for reuse; one takes about 6 kB.
    private static let maximumPooledHandles = 128

    /// How many sockets are looked at in one turn; the others come with the next.
    private static let eventsPerTurn = 64

    private let multi: UnsafeMutableRawPointer
    private let poll: CInt
    private var active: [CurlHandle] = []
    private var pool: [CurlHandle] = []
    private var finished: [(CurlExchange, Result<HTTPTaskMetrics, HTTPError>)] = []
    private var sockets = SocketWatch()
    private var timer = Int64.max
    private var nextSweep = Int64.max

    /// Opens a loop, or throws where the process has no descriptor or memory left.
    init(limits: CurlTransport.Limits) throws(HTTPError) {
        _ = CurlLibrary.initialized
        let inbox = try CurlInbox()
        let poll = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard poll >= 0 else { throw CurlReport.noEventLoop(errno) }
        guard let multi = curl_multi_init() else {
            // It opens sockets of its own to be woken by.
            let number = CurlReport.descriptorShortage ?? ENOMEM
            close(poll)
            throw CurlReport.noEventLoop(number)
        }
        self.inbox = inbox
        self.limits = limits
        self.poll = poll
        self.multi = multi
        now = Self.clock()
        var wakeUp = epoll_event()
        wakeUp.events = EPOLLIN.rawValue
        wakeUp.data.fd = inbox.descriptor
        epoll_ctl(poll, EPOLL_CTL_ADD, inbox.descriptor, &wakeUp)
        connectCallbacks()
    }

    deinit {
        pool.removeAll()
        curl_multi_cleanup(multi)
        close(poll)
    }

    /// Runs until the inbox is closed, then ends what is active.
    func run() {
        prepareThread()
        var orders: [CurlInbox.Order] = []
        var events = [epoll_event](repeating: epoll_event(), count: Self.eventsPerTurn)
        var isOpen = true
        while isOpen {
            // The sockets first: what came on an idle connection has to be known before it is used again.
            waitForEvents(&events)
            isOpen = inbox.take(into: &orders)
            carryOut(orders)
            // An order keeps its exchange alive, and the loop may sleep for long.
            orders.removeAll(keepingCapacity: true)
            if timer <= now { act(on: CurlLibrary.timeoutSocket, mask: 0) }
            collectFinished()
            if nextSweep <= now { sweep() }
        }
        while let handle = active.last { finish(handle, with: .failure(.cancelled)) }
    }

    /// Names the thread, and keeps the signal of a broken connection from it: OpenSSL may raise one.
    private func prepareThread() {
        Thread.current.name = "magpie-http"
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Sleeps until there is something to do, and takes what the sockets have.
    private func waitForEvents(_ events: inout [epoll_event]) {
        let timeout = inbox.prepareToSleep() ? timeoutInMilliseconds() : 0
        let count = epoll_wait(poll, &events, CInt(events.count), timeout)
        inbox.didWake()
        now = Self.clock()
        for event in events.prefix(Int(max(0, count))) {
            if event.data.fd == inbox.descriptor {
                inbox.acknowledge()
            } else if sockets.isWanted(event.data.fd) {
                act(on: event.data.fd, mask: CurlLibrary.selectMask(of: event.events))
            } else {
                sockets.handleUnwanted(event.data.fd, in: poll)
            }
        }
    }

    /// How long the loop may sleep, for `epoll_wait`: -1 is for ever.
    private func timeoutInMilliseconds() -> CInt {
        let due = min(timer, nextSweep)
        guard due != .max else { return -1 }
        let left = max(0, due &- Self.clock())
        return CInt(clamping: (left &+ 999_999) / 1_000_000)
    }

    private static func clock() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

// MARK: - Exchanges

extension CurlLoop {
    private func carryOut(_ orders: [CurlInbox.Order]) {
        for order in orders {
            switch order {
            case .start(let exchange): begin(exchange)
            case .cancel(let exchange): exchange.handle.map { finish($0, with: .failure(.cancelled)) }
            case .resume(let exchange): exchange.handle.map { end($0, with: $0.resume()) }
            case .bodyIsReady(let exchange):
                exchange.takeAnnouncement()
                exchange.handle.map { end($0, with: $0.resumeSending()) }
            }
        }
    }

    private func begin(_ exchange: CurlExchange) {
        guard !exchange.isCancelled else { return exchange.delegate.exchangeDidFinish(.failure(.cancelled)) }
        guard let handle = pool.popLast() ?? CurlHandle(loop: self) else {
            let error = HTTPError.transport(code: Int(CURLE_OUT_OF_MEMORY.rawValue), message: "out of memory")
            return exchange.delegate.exchangeDidFinish(.failure(error))
        }
        do throws(HTTPError) {
            try handle.prepare(for: exchange)
        } catch {
            keep(handle)
            return exchange.delegate.exchangeDidFinish(.failure(error))
        }
        handle.activeIndex = active.count
        active.append(handle)
        schedule(handle)
        let code = curl_multi_add_handle(multi, handle.easy)
        if code != CURLM_OK {
            let message = String(cString: curl_multi_strerror(code))
            finish(handle, with: .failure(.transport(code: Int(code.rawValue), message: message)))
        }
    }

    /// Ends the exchange of a handle that cannot go on, or has come to its end.
    private func end(_ handle: CurlHandle, with code: CURLcode?) {
        if let code { finish(handle, with: handle.conclude(code)) }
    }

    /// Takes the handle out of libcurl, keeps it for reuse, and tells the delegate.
    private func finish(_ handle: CurlHandle, with result: Result<HTTPTaskMetrics, HTTPError>) {
        detach(handle)?.delegate.exchangeDidFinish(result)
    }

    /// Takes the handle out of libcurl and keeps it for reuse.
    private func detach(_ handle: CurlHandle) -> CurlExchange? {
        curl_multi_remove_handle(multi, handle.easy)
        let last = active.removeLast()
        if last !== handle {
            last.activeIndex = handle.activeIndex
            active[handle.activeIndex] = last
        }
        if let socket = handle.socket { sockets.settle(socket) }
        let exchange = handle.release()
        keep(handle)
        return exchange
    }

    private func keep(_ handle: CurlHandle) {
        if pool.count < Self.maximumPooledHandles { pool.append(handle) }
    }

    /// Ends the exchanges that libcurl has done with.
    ///
    /// The delegates are told in one go at the end: what they wake then wakes together, which spares thread switches.
    private func collectFinished() {
        var left: CInt = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = CurlHandle.of(message.pointee.easy_handle) else {
                continue
            }
            let code = magpie_message_result(message)
            if handle.holdsBack(code) { continue }
            let result = handle.conclude(code)
            if let exchange = detach(handle) { finished.append((exchange, result)) }
        }
        for (exchange, result) in finished { exchange.delegate.exchangeDidFinish(result) }
        finished.removeAll(keepingCapacity: true)
    }

    /// Makes sure that the loop wakes in time for the handle's time-outs.
    func schedule(_ handle: CurlHandle) { nextSweep = min(nextSweep, handle.deadline) }

    /// Looks at all handles as soon as libcurl is at rest, since one has a reason to end.
    func sweepSoon() { nextSweep = now }

    /// Ends the exchanges whose patience is over, and finds out when to look again.
    private func sweep() {
        nextSweep = .max
        for handle in active {
            if let error = handle.reasonToEnd(at: now) {
                finish(handle, with: .failure(error))
            } else {
                schedule(handle)
            }
        }
    }
}

// MARK: - Sockets

extension CurlLoop {
    private func connectCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        magpie_multi_set_long(multi, CURLMOPT_PIPELINING, CurlLibrary.multiplex)
        magpie_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(1, limits.maximumIdleConnections))
        magpie_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, max(0, limits.maximumConnections ?? 0))
        magpie_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, max(0, limits.maximumConnectionsPerHost ?? 0))
        magpie_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
        magpie_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
        magpie_multi_set_socket_callback(multi) { easy, socket, action, context, _ in
            guard let context else { return 0 }
            let loop = Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue()
            loop.socketChanged(socket, action: action, of: easy)
            return 0
        }
        magpie_multi_set_timer_callback(multi) { _, milliseconds, context in
            guard let context else { return 0 }
            Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue().timerChanged(milliseconds)
            return 0
        }
    }

    private func socketChanged(_ socket: CInt, action: CInt, of easy: UnsafeMutableRawPointer?) {
        guard action != CURL_POLL_REMOVE else { return sockets.release(socket, from: poll) }
        CurlHandle.of(easy)?.uses(socket)
        var events: UInt32 = 0
        if action & CURL_POLL_IN != 0 { events |= EPOLLIN.rawValue }
        if action & CURL_POLL_OUT != 0 { events |= EPOLLOUT.rawValue }
        sockets.want(socket, events: events, in: poll)
    }

    /// A connection's socket was made.
    func connectionOpened(_ socket: CInt) { sockets.open(socket) }

    /// A connection's socket is to be closed, which is the callback's work.
    func connectionClosed(_ socket: CInt) {
        sockets.forget(socket)
        close(socket)
    }

    private func timerChanged(_ milliseconds: Int) {
        timer = milliseconds < 0 ? .max : now &+ Int64(milliseconds) &* 1_000_000
    }

    private func act(on socket: CInt, mask: CInt) {
        if socket == CurlLibrary.timeoutSocket { timer = .max }
        var running: CInt = 0
        curl_multi_socket_action(multi, socket, mask, &running)
    }
}
