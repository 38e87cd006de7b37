import CCurl
import CLinux
import Foundation

/// Which sockets an event loop watches, for what, and which of them libcurl wants to hear of.
///
/// Between two requests libcurl takes its hands off a connection and puts them on again at once. The kernel is told of
/// neither: a connection that nobody wants stays watched until it has something to say, and is dropped then. That is
/// safe for sockets alone whose opening and closing are known; others (those of name lookups) are dropped at once.
struct SocketWatch {
    private struct Entry {
        /// The events that the kernel watches for; 0 where it does not watch.
        var watched: UInt32 = 0
        var isWanted = false
        var isConnection = false
        /// Whether it waits for the next request, so that the server has nothing to say.
        var isIdle = false
    }

    /// How often a connection is read that speaks unasked; more than fits into the kernel's buffers.
    private static let maximumDrains = 1000

    /// By socket number, which the kernel keeps small.
    private var entries: [Entry] = []

    /// Notes that a connection got this socket.
    mutating func open(_ socket: CInt) {
        guard makeRoom(for: socket) else { return }
        entries[Int(socket)] = Entry(isConnection: true)
    }

    /// Whether libcurl wants to hear of the socket.
    func isWanted(_ socket: CInt) -> Bool {
        entries.indices.contains(Int(socket)) && entries[Int(socket)].isWanted
    }

    /// Watches a socket for these events and no others.
    mutating func want(_ socket: CInt, events: UInt32, in poll: CInt) {
        guard makeRoom(for: socket) else { return }
        let watched = entries[Int(socket)].watched
        entries[Int(socket)].isWanted = true
        entries[Int(socket)].isIdle = false
        guard watched != events else { return }
        entries[Int(socket)].watched = events
        var event = epoll_event()
        event.events = events
        event.data.fd = socket
        epoll_ctl(poll, watched == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event)
    }

    /// Notes that libcurl does not want to hear of the socket for now.
    mutating func release(_ socket: CInt, from poll: CInt) {
        guard isWanted(socket) else { return }
        entries[Int(socket)].isWanted = false
        if !entries[Int(socket)].isConnection { drop(socket, from: poll) }
    }

    /// Notes that the exchange on this connection is over and the next may use it.
    mutating func settle(_ socket: CInt) {
        guard entries.indices.contains(Int(socket)), entries[Int(socket)].isConnection else { return }
        entries[Int(socket)].isIdle = !entries[Int(socket)].isWanted
    }

    /// Takes note of an event on a socket of which libcurl does not want to hear.
    ///
    /// What a server sends on an idle connection would be taken for the answer to the next request. The connection is
    /// emptied and shut down, so that libcurl finds it dead.
    mutating func handleUnwanted(_ socket: CInt, in poll: CInt) {
        if entries.indices.contains(Int(socket)), entries[Int(socket)].isIdle {
            entries[Int(socket)].isIdle = false
            if Self.drain(socket) { shutdown(socket, CInt(SHUT_RDWR)) }
        }
        drop(socket, from: poll)
    }

    /// Reads all that has come, and says whether there was any.
    private static func drain(_ socket: CInt) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 1) { buffer in
            for count in 0..<maximumDrains where recv(socket, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT)) <= 0
            { return count > 0 }
            return true
        }
    }

    /// Watches the socket no more, for now.
    private mutating func drop(_ socket: CInt, from poll: CInt) {
        epoll_ctl(poll, EPOLL_CTL_DEL, socket, nil)
        if entries.indices.contains(Int(socket)) { entries[Int(socket)].watched = 0 }
    }

    /// Notes that the socket is closed; the kernel stops to watch it by itself.
    mutating func forget(_ socket: CInt) {
        if entries.indices.contains(Int(socket)) { entries[Int(socket)] = Entry() }
    }

    private mutating func makeRoom(for socket: CInt) -> Bool {
        guard socket >= 0 else { return false }
        while entries.count <= Int(socket) { entries.append(Entry()) }
        return true
    }
}
