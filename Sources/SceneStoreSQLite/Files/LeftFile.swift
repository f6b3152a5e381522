/// The database of a container whose connection was closed, still open to be read: it can be
/// copied when its name is gone (L-17).
package final class LeftFile: Sendable {
    let descriptor: Int32
    private let status: FileStatus

    /// Opens the file at its name, which nobody has open in SQLite for this owner.
    package init(_ folder: ContainerFolder, _ identity: FileIdentity) throws(ContainerError) {
        do {
            let descriptor = try folder.openForReading(ContainerName.store)
            do {
                status = try System.status(of: descriptor)
            } catch {
                DatabaseDescriptors.close(descriptor, of: identity)
                throw error
            }
            self.descriptor = descriptor
        } catch {
            throw ContainerError(error, "keeping the file open", file: ContainerName.store)
        }
        // From here on a throw ends in deinit, which closes the file.
        guard status.identity == identity else {
            throw ContainerError(
                .replaced, "another file has taken this one's place", file: ContainerName.store)
        }
    }

    deinit {
        DatabaseDescriptors.close(descriptor, of: status.identity)
    }

    /// How large the file is; throws `replaced` when it was written since it was left.
    func size() throws -> Int64 {
        let found = try System.status(of: descriptor)
        guard found.size == status.size, found.modifiedSeconds == status.modifiedSeconds,
            found.modifiedNanoseconds == status.modifiedNanoseconds
        else {
            throw ContainerError(
                .replaced, "another program has written into the file", file: ContainerName.store)
        }
        return found.size
    }
}
