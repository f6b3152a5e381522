/// The reasons with which `SimulatedDevice.refuseWrites(_:)` makes a store refuse writes.
///
/// ```swift
/// try device.refuseWrites(.diskFull)
/// try device.sceneDelegate(NoteWindow.self).state.text = "not yet on the disk"
/// try device.moveToBackground()
/// try device.acceptWrites()
/// ```
public enum WriteRefusal: String, Sendable, Hashable, CaseIterable, Codable {
    /// The disk is full.
    case diskFull
    /// The volume is read-only.
    case readOnly
    /// Somebody moved the container away. Needs a device with a directory.
    case moved
}
