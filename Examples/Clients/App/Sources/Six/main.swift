import Ledger
import Middle

let folder = CommandLine.arguments[1]
let drafts = try Drafts(folder: folder)
let count = Ledger(path: folder + "/ledger.sqlite").add("launch")
print("Swift 6, launch \(count): \(drafts.texts)")
drafts.write("from launch \(count)")
try drafts.quit()
