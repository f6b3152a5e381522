/// The completion script for bash 3.2 or newer; needs no other script.
struct BashCompletion {
    let model: CompletionModel

    func script() -> String {
        #"""
        # bash completion for scenestore; made by 'scenestore completions bash'

        # Divides the line up to the cursor as the shell does: 'words' without quotes, 'mark' the quote
        # that is still open, 'head' what is before the part of the last word that gets replaced.
        _scenestore_split() {
            local line=${COMP_LINE:0:COMP_POINT} char='' word='' begun='' plain='' index
            words=() mark='' head=''
            for ((index = 0; index < ${#line}; index++)); do
                char=${line:index:1}
                if [[ -n $mark ]]; then
                    if [[ $char == "$mark" ]]; then
                        mark='' head=$word
                    elif [[ $char == \\ && $mark == \" ]]; then
                        ((index++))
                        word+=${line:index:1}
                    else
                        word+=$char
                    fi
                    continue
                fi
                case $char in
                    ' '|$'\t')
                        [[ -z $begun ]] || words+=("$word")
                        word='' begun='' head='' ;;
                    \'|\") mark=$char begun=1 head=$word ;;
                    \\)
                        ((index++))
                        word+=${line:index:1} begun=1 ;;
                    *)
                        word+=$char begun=1
                        [[ $COMP_WORDBREAKS == *"$char"* ]] && head=$word ;;
                esac
            done
            words+=("$word")
        }

        _scenestore() {
            local word='' current='' command='' skip='' ended='' previous='' position=0 index
            local mark='' head=''
            local -a words
            _scenestore_split
            words=("${words[@]:1}")
            current=${words[${#words[@]}-1]}
            for ((index = 0; index < ${#words[@]} - 1; index++)); do
                word=${words[index]}
                if [[ -n $skip ]]; then
                    skip=''
                elif [[ -n $ended ]]; then
                    ((position++))
                elif [[ $word == -- ]]; then
                    ended=1
                elif [[ $word == -?* ]]; then
                    case $word in
                        \#(alternatives(model.valueOptions))) skip=1; previous=$word ;;
                    esac
                else
                    case $command in
                        '') command=$word ;;
                        \#(alternatives(model.parents))) command="$command $word" ;;
                        *) ((position++)) ;;
                    esac
                fi
            done
            [[ -n $skip ]] || previous=''
            local stem=''
            if [[ -z $previous && -z $ended && $current == --*=* ]]; then
                previous=${current%%=*}
                current=${current#*=}
                stem="$previous="
            fi
            COMPREPLY=()
            local reply='' kind=''
            if [[ -n $previous ]]; then
                case "$command $previous" in
        \#(valueCases())
                esac
                case "$kind$reply" in
                    '') case "$previous" in
        \#(generalValueCases())
                        esac ;;
                esac
            elif [[ -z $ended && $current == -* ]]; then
                case $command in
        \#(optionCases())
                esac
            else
                case "$command:$position" in
        \#(argumentCases())
                esac
            fi
            local IFS=$' \t\n'
            case $kind in
                files|directories)
                    # Names may hold blanks; where compopt exists (bash 4) they get quoted.
                    IFS=$'\n'
                    if [[ $kind == files ]]; then
                        COMPREPLY=($(compgen -f -- "$current"))
                    else
                        COMPREPLY=($(compgen -d -- "$current"))
                    fi
                    compopt -o filenames 2>/dev/null
                    ;;
                '')
                    [[ -z $reply ]] || COMPREPLY=($(compgen -W "$reply" -- "$current"))
                    ;;
                *)
                    # What a store holds is read by the line: compgen -W would run it.
                    while IFS=$'\t' read -r word _; do
                        COMPREPLY+=("$word")
                    done < <("${COMP_WORDS[0]}" __complete "$kind" -- "${words[@]}" 2>/dev/null)
                    ;;
            esac
            for index in "${!COMPREPLY[@]}"; do
                word=$stem${COMPREPLY[index]}
                word=${word:${#head}}
                if [[ -z $mark && -n $kind && $kind != files && $kind != directories &&
                    $kind != columns ]]; then
                    printf -v word %q "$word"
                fi
                COMPREPLY[index]=$word
            done
        }

        complete -o bashdefault -F _scenestore scenestore

        """#
    }

    private func valueCases() -> String {
        var lines: [String] = []
        for entry in model.table.visibleEntries {
            for option in entry.command.description.options {
                guard let value = option.value,
                    let assignment = assignment(CompletionModel.action(for: value.kind))
                else {
                    continue
                }
                let patterns = CompletionModel.forms(of: option).map { "\(entry.name) \($0)" }
                lines.append("\(alternatives(patterns))) \(assignment) ;;")
            }
        }
        return indented(lines.isEmpty ? ["'') ;;"] : lines, by: 12)
    }

    private func generalValueCases() -> String {
        let lines = OptionDescription.everywhere.compactMap { option -> String? in
            guard let value = option.value,
                let assignment = assignment(CompletionModel.action(for: value.kind))
            else {
                return nil
            }
            return "\(alternatives(CompletionModel.forms(of: option)))) \(assignment) ;;"
        }
        return indented(lines, by: 16)
    }

    private func optionCases() -> String {
        var lines: [String] = []
        for entry in model.table.visibleEntries {
            let names = entry.command.description.allOptions.map { "--\($0.name)" }
            lines.append("\(quote(entry.name))) reply=\(quote(names.joined(separator: " "))) ;;")
        }
        let general = OptionDescription.everywhere.map { "--\($0.name)" } + ["--version"]
        lines.append("*) reply=\(quote(general.joined(separator: " "))) ;;")
        return indented(lines, by: 12)
    }

    private func argumentCases() -> String {
        let top = model.table.commands.filter { !$0.description.isHidden }.map(\.name)
        var lines = ["':0') reply=\(quote(top.joined(separator: " "))) ;;"]
        for entry in model.table.visibleEntries {
            let children = entry.command.subcommands.map(\.name)
            if !children.isEmpty {
                lines.append(
                    "\(quote("\(entry.name):0"))) reply=\(quote(children.joined(separator: " "))) ;;"
                )
            }
            for (place, argument) in entry.command.description.arguments.enumerated() {
                guard let assignment = assignment(CompletionModel.action(for: argument.kind)) else {
                    continue
                }
                let pattern =
                    argument.count.most > 1
                    ? "\(quote("\(entry.name):"))*" : quote("\(entry.name):\(place)")
                lines.append("\(pattern)) \(assignment) ;;")
            }
        }
        return indented(lines, by: 12)
    }

    /// The shell's words that say what completes a value; nil for nothing.
    private func assignment(_ action: CompletionModel.Action) -> String? {
        switch action {
        case .nothing: nil
        case .words(let words): "reply=\(quote(words.joined(separator: " ")))"
        case .files: "kind=files"
        case .directories: "kind=directories"
        case .source(let name): "kind=\(quote(name))"
        }
    }

    /// Patterns of a `case`; one that nothing matches when there are none.
    private func alternatives(_ patterns: [String]) -> String {
        patterns.isEmpty ? "'/none/'" : patterns.map(quote).joined(separator: "|")
    }

    private func quote(_ text: String) -> String {
        CompletionModel.quoted(text)
    }

    private func indented(_ lines: [String], by count: Int) -> String {
        lines.map { String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
    }
}
