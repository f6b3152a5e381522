import SceneStore

/// What befalls a device between two steps, or within one, and no scenario says.
extension ScenarioPlayer {
    /// The disk of a player in memory.
    package var disk: FaultDisk? { device.disk }

    /// The power goes, and the device starts again: a process that runs dies with it.
    package func cutPower(seed: UInt64) throws(SceneStoreError) {
        kill()
        unanswered = []
        try device.cutPower(seed: seed)
    }

    /// The device starts again, and nobody is left who waits for an answer; what becomes of its files
    /// is the caller's.
    package func restart() {
        kill()
        unanswered = []
        device.bootCount += 1
    }

    /// The process that runs is killed, within the last step; what it wrote stays, and nobody has its
    /// answer.
    package func kill() {
        if device.isRunning {
            die(.kill)
        }
        if handedOver.step == state.step {
            unanswered = handedOver.payloads
        }
    }

    /// Lets processes reach each other in another way than through the device.
    package var gate: (any ProcessGate)? {
        get { device.gate }
        set { device.gate = newValue }
    }

    /// Whether a process runs that has not died within a callback.
    package var isAlive: Bool { device.isRunning && !isDead }

    /// Sets the clock forward or back.
    package func jumpClock(milliseconds: Int64) {
        device.jumpClock(milliseconds: milliseconds)
    }

    /// Another process wants to own the container; what it was refused with, or nil.
    package func refusalOfRival() -> SceneStoreError.Code? {
        do throws(SceneStoreError) {
            try device.withSecondProcess { _ in }
            return nil
        } catch {
            return error.code
        }
    }

    /// The file of a store that was closed, with nothing in a log beside it.
    package var closedStore: [UInt8]? {
        do throws(SceneStoreError) {
            guard !device.isRunning, try device.fileBytes(device.logPath)?.isEmpty != false else {
                return nil
            }
            return try device.fileBytes(device.storePath)
        } catch {
            return nil
        }
    }

    /// Puts a file in the place of a store that was closed.
    package func replaceStore(_ bytes: [UInt8]) throws(SceneStoreError) {
        try device.replaceFile(device.storePath, bytes)
    }

    /// Runs SQL on the file of a store that was closed.
    package func alterStore(_ sql: String) throws(SceneStoreError) {
        try device.alterDatabase(sql)
    }

    /// Gives the app no timers, or has it hear what a call that promises a save could not save.
    package func changeHost(hasTimers: Bool, hearsFailures: Bool) {
        device.hasTimers = hasTimers
        device.throwsSaveFailures = hearsFailures
    }

    /// Lets every commit fail for lack of memory from here on, or not any more.
    package func setShortOfMemory(_ isShort: Bool) {
        // SQLite's code for it.
        device.writeFault.code = isShort ? 7 : nil
    }

    /// Does what waits until the app is idle, to the end.
    package func finishIdleWork() throws(SceneStoreError) {
        while let application = device.application,
            try application.performIdleWork(budgetMilliseconds: 600_000)
        {}
    }
}
