// `predicate completions`: prints shell completion scripts, generated from the descriptions of the commands. Each
// script is one function. After an option it completes the option's choices, file names, or the keys of the files named
// earlier on the command line.

extension CommandDescription {
    static let completions = CommandDescription(
        name: "completions", summary: "prints a completion script for a shell",
        operands: "bash|zsh|fish", operandCount: 0...1, options: [.help],
        examples: [
            "predicate completions bash > /etc/bash_completion.d/predicate",
            "predicate completions zsh > \"${fpath[1]}/_predicate\"",
            "predicate completions fish > ~/.config/fish/completions/predicate.fish",
        ]
    ) { invocation in
        let shells = ["bash", "zsh", "fish"]
        guard let shell = invocation.operands.first else {
            throw CommandEnd.usage("a shell is required", hint: "bash, zsh or fish")
        }
        let commands = PredicateCommand.commands
        switch shell {
        case "bash": try invocation.output.line(CompletionScript.bash(commands))
        case "zsh": try invocation.output.line(CompletionScript.zsh(commands))
        case "fish": try invocation.output.line(CompletionScript.fish(commands))
        default:
            throw CommandEnd.unknown(
                "there are no completions for", shell, among: shells, else: "the shells are bash, zsh and fish")
        }
        return .success
    }
}

extension CommandDescription {
    /// The possible words of an operand if there are only a few, else an empty list.
    fileprivate var operandChoices: [String] {
        switch name {
        case "completions": ["bash", "zsh", "fish"]
        case "explain": DiagnosticID.allCases.map(\.rawValue).sorted()
        case "help": PredicateCommand.commands.map(\.name) + HelpTopic.all.map(\.name)
        default: []
        }
    }
}

extension OptionDescription {
    fileprivate var takesFile: Bool { ["FILE", "DB", "LIB"].contains(value) }

    /// Whether the value of the option is a list of keys of the files on the command line.
    fileprivate var takesKeys: Bool { ["--keys", "--sort", "--types"].contains(name) }

    /// The words to complete.
    fileprivate var words: [String] {
        switch name {
        case "--dialect": SQLDialect.all.map(\.name)
        case "--profile": ProfileLibrary.names
        case "--select", "--ignore": DiagnosticID.allCases.map(\.rawValue).sorted()
        default: choices
        }
    }
}

/// The shell scripts.
enum CompletionScript {
    static func bash(_ commands: [CommandDescription]) -> String {
        let cases = commands.map { command in
            let values = command.options.filter { $0.value != nil }.map { option in
                let names = [option.name, option.short].compactMap(\.self).joined(separator: "|")
                let words = "COMPREPLY=($(compgen -W '\(option.words.joined(separator: " "))' -- \"$word\"))"
                let reply =
                    option.takesFile
                    ? "COMPREPLY=($(compgen -f -- \"$word\"))" : option.takesKeys ? "_predicate_keys" : words
                return "                \(names)) \(reply); return ;;\n"
            }.joined()
            let words = (command.options.map(\.name) + command.operandChoices).joined(separator: " ")
            return """
                        \(command.name))
                            case "$before" in
                \(values)            esac
                            words='\(words)' ;;

                """
        }.joined()
        return """
            # bash completion of predicate
            _predicate_keys() {
                local word="${COMP_WORDS[COMP_CWORD]}" other files=()
                local part="${word##*,}"
                part="${part#-}"
                local before="${word%"$part"}"
                for other in "${COMP_WORDS[@]:2}"; do if [ -f "$other" ]; then files+=("$other"); fi; done
                if [ ${#files[@]} -eq 0 ]; then return; fi
                local keys="$("${COMP_WORDS[0]}" complete '' "${files[@]}" 2>/dev/null | awk -F'\t' '$2 == "key" {print $1}')"
                local IFS=$'\n'
                COMPREPLY=($(compgen -P "$before" -W "$keys" -- "$part"))
                compopt -o nospace 2>/dev/null
            }
            _predicate() {
                local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words
                if [ "$COMP_CWORD" -eq 1 ]; then
                    COMPREPLY=($(compgen -W '\(commands.map(\.name).joined(separator: " "))' -- "$word"))
                    return
                fi
                case "${COMP_WORDS[1]}" in
            \(cases)    esac
                COMPREPLY=($(compgen -W "$words" -- "$word"))
                if [ ${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$word")); fi
            }
            complete -o filenames -F _predicate predicate
            """
    }

    static func zsh(_ commands: [CommandDescription]) -> String {
        let names = commands.map { "        '\($0.name):\(quoted($0.summary, "'\\''"))'\n" }.joined()
        let cases = commands.map { command in
            let options = command.options.map { option in
                let about = quoted(option.summary, "'\\''").escaping("[]:")
                let value =
                    option.value.map { _ in
                        option.takesFile
                            ? ":file:_files"
                            : option.takesKeys
                                ? ":keys:_predicate_keys" : ":value:(\(option.words.joined(separator: " ")))"
                    } ?? ""
                let short = option.short.map { "        '\($0)[\(about)]\(value)' \\\n" } ?? ""
                return short + "        '\(option.name)[\(about)]\(value)' \\\n"
            }.joined()
            let operands =
                command.operandChoices.isEmpty ? "_files" : "(\(command.operandChoices.joined(separator: " ")))"
            return "    \(command.name)) _arguments -s \\\n\(options)        '*:operand:\(operands)' ;;\n"
        }.joined()
        return """
            #compdef predicate
            # zsh completion of predicate
            _predicate_keys() {
                local -a files keys
                local word
                for word in $words; do [[ -f $word ]] && files+=($word); done
                (( $#files )) || return 1
                keys=(${(f)"$(predicate complete '' $files 2>/dev/null | awk -F'\t' '$2 == "key" {print $1}')"})
                compset -P '*,'
                compadd -S '' -a keys
            }
            _predicate() {
                local -a commands
                commands=(
            \(names)    )
                if (( CURRENT == 2 )); then
                    _describe command commands
                    return
                fi
                local command="$words[2]"
                shift words
                (( CURRENT-- ))
                case "$command" in
            \(cases)    esac
            }
            if [ "$funcstack[1]" = _predicate ]; then _predicate "$@"; else compdef _predicate predicate; fi
            """
    }

    static func fish(_ commands: [CommandDescription]) -> String {
        var lines = [
            """
            # fish completion of predicate
            function __predicate_keys
                set -l files
                for word in (commandline -opc)
                    test -f "$word"; and set -a files $word
                end
                set -q files[1]; or return
                set -l before (string match -r '.*,' -- (commandline -ct))
                for line in (predicate complete '' $files 2>/dev/null)
                    set -l parts (string split \t -- $line)
                    test "$parts[2]" = key; and echo "$before$parts[1]"
                end
            end
            """
        ]
        for command in commands {
            lines.append(
                "complete -c predicate -n __fish_use_subcommand -f -a \(command.name) -d '\(quoted(command.summary, "\\'"))'"
            )
        }
        for command in commands {
            let condition = "-n '__fish_seen_subcommand_from \(command.name)'"
            for option in command.options {
                let short = option.short.map { " -s \($0.dropFirst())" } ?? ""
                let value =
                    option.value == nil
                    ? ""
                    : option.takesFile
                        ? " -r -F"
                        : " -x -a '\(option.takesKeys ? "(__predicate_keys)" : option.words.joined(separator: " "))'"
                lines.append(
                    "complete -c predicate \(condition) -l \(option.name.dropFirst(2))\(short)\(value)"
                        + " -d '\(quoted(option.summary, "\\'"))'")
            }
            if !command.operandChoices.isEmpty {
                lines.append(
                    "complete -c predicate \(condition) -f -a '\(command.operandChoices.joined(separator: " "))'")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Escapes a text for single quotes.
    private static func quoted(_ text: String, _ quote: String) -> String {
        text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: quote)
    }
}
