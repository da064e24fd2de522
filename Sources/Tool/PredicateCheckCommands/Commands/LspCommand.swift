// `predicate lsp`: the language server, for editors.

extension CommandDescription {
    package static let lsp = CommandDescription(
        name: "lsp", summary: "serves editors: the language server protocol", operands: "", operandCount: 0...0,
        options: OptionDescription.schemas + [
            .profile, .key, .call, .select, .ignore, .extensions, .help,
        ],
        details: """
            Reads requests from standard input and writes answers to standard output. It shows diagnostics, completes,
            explains under the pointer, formats, offers corrections, lists predicates and renames keys and variables, for
            the predicates in Swift, Objective-C, shell scripts, property lists, JSON, YAML, data models and files of
            predicates, one a line (.predicate).
            Options and .predicate.json are those of 'predicate lint'.

            Neovim:  vim.lsp.start({ name = "predicate", cmd = { "predicate", "lsp" }, root_dir = vim.fn.getcwd() })
            Helix:   languages.toml: [language-server.predicate] command = "predicate", args = ["lsp"]
            Emacs:   (add-to-list 'eglot-server-programs '(swift-mode . ("predicate" "lsp")))
            Others:  the command 'predicate lsp' over standard input and output.
            """,
        examples: ["predicate lsp --schema App/Model.xcdatamodeld"]
    ) { invocation in
        try LanguageServer(invocation).run()
    }
}
