@main enum Main {
    static func main() { CommandLineTool.main(AllCommands.tool) }
}
