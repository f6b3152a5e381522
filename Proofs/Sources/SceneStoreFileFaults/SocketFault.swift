import SceneStoreCSystemFaults

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Calls on the container's socket that fail, of the process that owns the container or of one that
/// asks it. Both are threads of this process.
package struct SocketFault: Hashable, Sendable {
    /// What is asked of a socket; `ask` and `learn` are the asker's transfers, `hear` and `answer`
    /// the owner's.
    package enum Call: Int32, CaseIterable, Sendable {
        case listen, connect, accept, ask, hear, answer, learn
    }

    /// What becomes of the calls that are hit.
    package enum Effect: Int32, CaseIterable, Sendable {
        case refused, doneButReported
        /// Half is transferred, which is no failure.
        case short
        /// Half is transferred, and the connection is closed.
        case closed
    }

    package var call: Call
    package var effect: Effect
    /// Which of the calls that have something to do is hit, from 1, and how many of them.
    package var first: UInt64
    package var times: UInt64
    /// The `errno` that is told.
    package var error: Int32

    /// What may become of each call. A request that the system refused to send was not sent.
    package static func effects(on call: Call) -> [Effect] {
        Effect.allCases.filter { call != .ask || $0 != .doneButReported }
    }

    /// What the system says of each call. A transfer that was done is never to be done again.
    package static func errors(of call: Call, _ effect: Effect) -> [Int32] {
        let later = effect == .doneButReported ? [] : [EAGAIN]
        return switch call {
        case .listen: [EADDRINUSE, ENOMEM]
        // The last one is none of those that mean that nobody listens.
        case .connect: [ECONNREFUSED, EAGAIN, ENOMEM]
        case .accept: [EMFILE, ECONNABORTED, EAGAIN]
        case .ask, .answer: [EPIPE, ENOBUFS] + later
        case .hear, .learn: [ECONNRESET, ENOMEM] + later
        }
    }

    package init(
        _ call: Call, _ effect: Effect, first: UInt64, times: UInt64, error: Int32
    ) {
        self.call = call
        self.effect = effect
        self.first = first
        self.times = times
        self.error = error
    }

    /// Does something while calls fail, and counts how many were hit.
    package func whileFailing<Result, Failure>(
        counting hits: inout UInt64, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        ssf_socket_arm(call.rawValue, first, times, effect.rawValue, error)
        defer { hits += ssf_socket_disarm() }
        return try body()
    }
}
