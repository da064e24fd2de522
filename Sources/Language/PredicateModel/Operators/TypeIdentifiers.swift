// Uniform type identifiers and their conformances, from Apple's documentation of system types. UTI-EQUALS and
// UTI-CONFORMS-TO use them (LANGUAGE C 16).

/// A table of type identifiers that an app can extend.
///
///     var types = TypeIdentifiers.standard
///     types.add("com.example.drawing", conformingTo: ["public.image"])
///     let environment = PredicateEnvironment(typeIdentifiers: types)
public struct TypeIdentifiers: Sendable {
    /// The conformances that the app added, by type.
    private var added: [String: [String]] = [:]

    /// The public system types.
    public static let standard = TypeIdentifiers()

    /// The conformances of the system types. Parsed at the first use, because few predicates compare types.
    private static let system: [String: [String]] = {
        var parents: [String: [String]] = [:]
        for line in systemTypes.split(separator: "\n") {
            let words = line.split(separator: " ").map { String($0).lowercased() }
            guard let name = words.first, name.hasSuffix(":") else { continue }
            parents[String(name.dropLast())] = Array(words.dropFirst())
        }
        return parents
    }()

    private init() {}

    /// Adds a type, or adds conformances to an existing one.
    public mutating func add(_ identifier: String, conformingTo others: [String]) {
        added[identifier.lowercased(), default: []] += others.map { $0.lowercased() }
    }

    /// Adds the types of another table. Returns false if both tables add different conformances to one type.
    mutating func join(_ other: TypeIdentifiers) -> Bool {
        var isSame = true
        for (identifier, others) in other.added {
            if let mine = added[identifier], Set(mine) != Set(others) { isSame = false }
            added[identifier] = added[identifier] ?? others
        }
        return isSame
    }

    /// Whether a type equals another or conforms to it, directly or indirectly. Ignores case. An unknown type
    /// conforms only to itself.
    package func conforms(_ identifier: String, to other: String) -> Bool {
        let goal = other.lowercased()
        var seen: Set<String> = []
        var open = [identifier.lowercased()]
        while let type = open.popLast() {
            if type == goal { return true }
            if seen.insert(type).inserted { open += (Self.system[type] ?? []) + (added[type] ?? []) }
        }
        return false
    }

    /// One type per line: the identifier, a colon, and the types that it conforms to.
    private static let systemTypes = """
        public.data: public.item
        public.directory: public.item
        public.folder: public.directory
        public.volume: public.folder
        public.symlink: public.item public.resolvable
        public.composite-content: public.content
        public.message: public.item
        public.email-message: public.message
        com.apple.mail.email: public.message
        public.contact: public.item
        public.calendar-event: public.content
        public.to-do-item: public.calendar-event
        public.archive: public.item
        public.disk-image: public.archive
        public.zip-archive: com.pkware.zip-archive
        com.pkware.zip-archive: public.data public.archive
        org.gnu.gnu-tar-archive: public.data public.archive
        public.tar-archive: public.data public.archive
        org.gnu.gnu-zip-archive: public.data public.archive
        public.bzip2-archive: public.data public.archive
        com.apple.archive: public.data public.archive
        com.apple.bundle: public.directory
        com.apple.package: public.directory
        com.apple.application: public.executable
        com.apple.application-bundle: com.apple.application com.apple.bundle com.apple.package
        com.apple.framework: com.apple.bundle
        com.apple.plugin: com.apple.bundle com.apple.package
        public.executable: public.item
        public.unix-executable: public.data public.executable
        com.microsoft.windows-executable: public.data public.executable
        public.url: public.data
        public.file-url: public.url
        public.url-name: public.plain-text
        com.apple.internet-location: public.data
        public.database: public.content
        public.spreadsheet: public.content
        public.presentation: public.composite-content
        public.font: public.data public.content
        public.text: public.data public.content
        public.plain-text: public.text
        public.utf8-plain-text: public.plain-text
        public.utf16-plain-text: public.plain-text
        public.utf16-external-plain-text: public.utf16-plain-text
        public.delimited-values-text: public.text
        public.comma-separated-values-text: public.delimited-values-text
        public.tab-separated-values-text: public.delimited-values-text
        public.utf8-tab-separated-values-text: public.tab-separated-values-text public.utf8-plain-text
        public.rtf: public.text
        com.apple.rtfd: com.apple.package public.composite-content
        com.apple.flat-rtfd: public.data public.composite-content
        public.html: public.text
        public.xhtml: public.xml public.html
        public.xml: public.text
        public.svg-image: public.image public.xml
        public.json: public.text
        public.geojson: public.json
        public.yaml: public.text
        public.css: public.text
        public.markdown: public.plain-text
        net.daringfireball.markdown: public.plain-text
        public.source-code: public.plain-text
        public.script: public.source-code
        public.shell-script: public.script
        public.bash-script: public.shell-script
        public.perl-script: public.shell-script
        public.python-script: public.shell-script
        public.ruby-script: public.shell-script
        public.php-script: public.shell-script
        com.netscape.javascript-source: public.source-code public.executable
        com.apple.applescript.text: public.script
        com.apple.property-list: public.data
        com.apple.xml-property-list: public.xml com.apple.property-list
        com.apple.binary-property-list: com.apple.property-list
        public.swift-source: public.source-code
        public.objective-c-source: public.source-code
        public.objective-c-plus-plus-source: public.source-code
        public.c-source: public.source-code
        public.c-header: public.source-code
        public.c-plus-plus-source: public.source-code
        public.c-plus-plus-header: public.source-code
        public.assembly-source: public.source-code
        com.adobe.pdf: public.data public.composite-content
        com.microsoft.word.doc: public.data
        com.microsoft.excel.xls: public.data public.spreadsheet
        com.microsoft.powerpoint.ppt: public.data public.presentation
        org.openxmlformats.openxml: com.pkware.zip-archive
        org.openxmlformats.wordprocessingml.document: org.openxmlformats.openxml public.composite-content
        org.openxmlformats.spreadsheetml.sheet: org.openxmlformats.openxml public.spreadsheet
        org.openxmlformats.presentationml.presentation: org.openxmlformats.openxml public.presentation
        org.idpf.epub-container: public.data public.composite-content
        public.image: public.data public.content
        public.jpeg: public.image
        public.jpeg-2000: public.image
        public.png: public.image
        public.tiff: public.image
        public.heic: public.heif-standard
        public.heics: public.heif-standard
        public.heif: public.heif-standard
        public.heif-standard: public.image
        public.camera-raw-image: public.image
        com.adobe.raw-image: public.camera-raw-image
        com.adobe.photoshop-image: public.image
        com.compuserve.gif: public.image
        com.microsoft.bmp: public.image
        com.microsoft.ico: public.image
        com.apple.icns: public.image
        org.webmproject.webp: public.image
        com.apple.live-photo: public.composite-content
        public.3d-content: public.content
        com.pixar.universal-scene-description: public.3d-content public.data
        com.pixar.universal-scene-description-mobile: public.3d-content public.data
        public.audiovisual-content: public.data public.content
        public.movie: public.audiovisual-content
        public.video: public.movie
        public.audio: public.audiovisual-content
        com.apple.quicktime-movie: public.movie
        public.mpeg: public.movie
        public.mpeg-2-video: public.video
        public.mpeg-2-transport-stream: public.movie
        public.mpeg-4: public.movie
        com.apple.m4v-video: public.movie
        public.avi: public.movie
        public.3gpp: public.movie
        public.mp3: public.audio
        public.mpeg-4-audio: public.mpeg-4 public.audio
        com.apple.m4a-audio: public.mpeg-4-audio
        com.apple.protected-mpeg-4-audio: public.audio
        public.aiff-audio: public.aifc-audio
        public.aifc-audio: public.audio
        com.microsoft.waveform-audio: public.audio
        public.midi-audio: public.audio
        public.playlist: public.item
        public.m3u-playlist: public.text public.playlist
        public.vcard: public.text public.contact
        com.apple.ical.ics: public.data public.calendar-event
        public.log: public.data
        com.apple.log: public.log
        public.bookmark: public.item
        com.apple.web-internet-location: com.apple.internet-location public.bookmark
        public.x509-certificate: public.data
        com.rsa.pkcs-12: public.data
        """
}
