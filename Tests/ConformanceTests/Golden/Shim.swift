extension GoldenTree { var pretty: String { canonical }; var dump: String { canonical } }
