/// Runs jobs in children, some side by side: a crash or a hang of one is a finding, not the end.
struct JobPool {
    var width: Int
    var seconds: UInt32

    func run(_ jobs: [Job]) -> RigResult {
        var result = RigResult()
        var waiting = jobs[...]
        var running: [(job: Job, child: ChildProcess, lines: [Substring])] = []
        while !waiting.isEmpty || !running.isEmpty {
            while running.count < width, let job = waiting.popFirst() {
                do {
                    let child = try ChildProcess(["--job"] + job.words + ["limit=\(seconds)"])
                    child.closeInput()
                    running.append((job, child, []))
                } catch {
                    result.violations.append("not started: \(job.command)")
                }
            }
            guard let index = ChildProcess.next(of: running.map(\.child)) else {
                continue
            }
            guard let lines = running[index].child.lines(timeout: -1) else {
                let done = running.remove(at: index)
                result.add(done.lines, end: done.child.wait(), of: done.job)
                continue
            }
            // Of the places that were passed only the last one matters.
            for line in lines {
                if line.hasPrefix("at "), running[index].lines.last?.hasPrefix("at ") == true {
                    running[index].lines.removeLast()
                }
                running[index].lines.append(line)
            }
        }
        return result
    }
}
