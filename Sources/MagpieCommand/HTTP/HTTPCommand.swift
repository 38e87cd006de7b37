import Foundation
import MagpieHTTP

/// `magpie http`: sends one request and shows the answer.
enum HTTPCommand: Subcommand {
    static let name = "http"
    static let synopsis = "[OPTION]... [METHOD] URL [ITEM]..."
    static let summary = "Send one request and show the answer."
    static let notes = """
        An ITEM is Header:value, name==query, name=field, name:=json or name@file; name=@file and name:=@file take a
        field from a file, and \\ before a separator makes it an ordinary character. Without METHOD, the request is a
        POST where there are fields, else a GET. An answer of 400 and above is shown like any other, and ends in
        status 1. An interrupted download leaves FILE.part, with which --continue goes on.
        """

    static let options: [CommandOption] =
        [
            .flag("json", "j", "write fields as JSON (default)"),
            .flag("form", "f", "write fields as a form, of many parts where there are files"),
            .flag("multipart", nil, "write fields as a form of many parts"),
            .flag("plist", nil, "write fields as a property list"),
            .value("upload", nil, "FILE", "send FILE as the body (PUT unless METHOD says otherwise)"),
            .value("download", "o", "FILE", "write the body to FILE, with a progress bar"),
            .flag("continue", "c", "go on with the part of FILE that is there"),
            .flag("include", "i", "print the status line and the fields first"),
            .flag("metrics", nil, "print what the request cost, on standard error"),
            .value("expect", nil, "KIND", "fail unless the body is json, xml, plist, image or any"),
            .flag("offline", nil, "print the request as it would be sent, and send nothing"),
        ] + ClientArguments.options

    static func run(_ arguments: ParsedArguments) async throws -> ExitStatus {
        let upload = try arguments.fileName("upload").map { URL(fileURLWithPath: $0) }
        let plan = try RequestPlan(arguments.operands, form: try bodyForm(arguments), upload: upload)
        let job = try HTTPJob(plan, arguments)
        return await Interruption.run { await job.run() }
    }

    private static func bodyForm(_ arguments: ParsedArguments) throws(UsageError) -> RequestPlan.BodyForm {
        let chosen = ["json", "form", "multipart", "plist"].filter(arguments.has)
        guard chosen.count <= 1 else {
            throw UsageError("--\(chosen[0]) and --\(chosen[1]) write the fields in different ways; choose one")
        }
        switch chosen.first {
        case "form": return .form
        case "multipart": return .multipart
        case "plist": return .propertyList
        default: return .json
        }
    }
}
