import SceneStoreCSockets
import SceneStoreSQLite

/// How a name in a folder becomes an address that is short enough.
package enum SocketWay: Hashable, Sendable, CaseIterable {
    /// Through the descriptor of the folder; Linux.
    case descriptor
    /// By the path, as long as it is short.
    case path
    /// Through a link in a private folder.
    case link

    var value: scenestore_socket_way {
        switch self {
        case .descriptor: SCENESTORE_SOCKET_BY_DESCRIPTOR
        case .path: SCENESTORE_SOCKET_BY_PATH
        case .link: SCENESTORE_SOCKET_BY_LINK
        }
    }
}

extension ContainerFolder {
    /// Makes the socket and listens; one that a dead owner left is removed first. Only the owner
    /// may, while it holds the lock.
    ///
    /// Throws `insecure` when something else than a socket of this user stands at the name.
    package func listen(by way: SocketWay? = nil) throws(ContainerError) -> StreamSocket {
        if let found = try status(of: ContainerName.socket) {
            try Self.checkSocket(found)
            try remove(ContainerName.socket)
        }
        do throws(SystemError) {
            return StreamSocket(try System.listen(ContainerName.socket, in: self, way?.value))
        } catch {
            throw ContainerError(error, "listening", file: ContainerName.socket)
        }
    }

    /// Connects to the owner, waiting some milliseconds at most for a place in its queue; nil when
    /// nobody listens.
    ///
    /// Throws `insecure` when others could have made the socket, or another user's process listens.
    package func connect(
        by way: SocketWay? = nil, milliseconds: Int
    ) throws(ContainerError) -> StreamSocket? {
        guard let found = try status(of: ContainerName.socket) else { return nil }
        try Self.checkSocket(found)
        guard found.permissions & 0o077 == 0 else {
            throw ContainerError(
                .insecure, "others can use the socket; make it 0600", reason: .writableByOthers,
                file: ContainerName.socket)
        }
        let socket: StreamSocket
        do throws(SystemError) {
            socket = StreamSocket(
                try System.connect(
                    ContainerName.socket, in: self, way?.value, milliseconds: milliseconds))
        } catch {
            if error.isMissing || error.isRefused || error.wouldBlock { return nil }
            throw ContainerError(error, "connecting to the owner", file: ContainerName.socket)
        }
        guard socket.isOwnUsers else {
            throw ContainerError(
                .insecure, "another user's process listens", reason: .otherOwner,
                file: ContainerName.socket)
        }
        return socket
    }

    private static func checkSocket(_ status: FileStatus) throws(ContainerError) {
        guard status.kind == .socket else {
            throw ContainerError(
                .insecure, "the file at the socket's name is not a socket; remove it",
                reason: reason(for: status.kind), file: ContainerName.socket)
        }
        guard status.isOwnUsers else {
            throw ContainerError(
                .insecure, "the socket belongs to another user", reason: .otherOwner,
                file: ContainerName.socket)
        }
    }
}
