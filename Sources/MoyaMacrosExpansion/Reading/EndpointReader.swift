#if Macros
import MoyaCodeText
import SwiftDiagnostics
import SwiftSyntax

/// Reads one method of an API, and collects diagnostics.
struct EndpointReader {
    let function: FunctionDeclSyntax
    let common: CommonAttributes
    let isSnakeCase: Bool
    /// Whether the API declares an encoder.
    let hasEncoder: Bool
    /// The names of the generated target's properties and cases.
    let targetMembers: Set<String>
    var diagnostics: [Diagnostic] = []

    static let methodNames: Set = [
        "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "QUERY", "HTTP", "WebSocket",
    ]

    /// The names of the other attributes of a method.
    private static let otherNames = namesOfMethods.union([
        "Authorization", "Basic", "Bearer", "Cache", "ErrorBody", "FormURLEncoded", "Headers", "Idempotent",
        "Multipart", "Retry",
        "Timeout", "URLStyle", "Validation",
    ])

    /// The names of the attributes that are allowed for a method only.
    static let namesOfMethods = methodNames.union([
        "ByStatus", "Coders", "Default", "Download", "JSON", "KeyPath", "Names", "Paged", "Sample", "Stream",
    ])

    /// The names of all attributes of methods and APIs.
    static var attributeNames: Set<String> { otherNames }

    /// The attributes whose expressions become part of the target.
    static let namesInTarget = [
        "Validation", "Authorization", "URLStyle", "Timeout", "Cache", "Retry", "Idempotent",
    ]

    init(
        function: FunctionDeclSyntax,
        common: CommonAttributes,
        isSnakeCase: Bool = false,
        hasEncoder: Bool = false,
        targetMembers: Set<String> = []
    ) {
        (self.function, self.common) = (function, common)
        (self.isSnakeCase, self.hasEncoder) = (isSnakeCase, hasEncoder)
        self.targetMembers = targetMembers
    }

    mutating func read() -> Endpoint? {
        guard !function.name.isOperator else {
            report(MacroDiagnostic.isOperator.at(function.name))
            return nil
        }
        checkSignature()
        guard let attribute = readMethodAttribute(), let (method, template, segment) = readRoute(attribute) else {
            return nil
        }
        let own = CommonAttributes(reading: function.attributes, isForAll: false, report: &diagnostics)
        let output = Output(function.signature.returnClause?.type)
        var attributes = own.addingDefaults(from: common)
        if output.isReconnectingStream, !own.hasHeader(named: "Accept") {
            // The provider sends `Accept: text/event-stream` unless the method sets the header.
            attributes.headers.removeAll { $0.name.lowercased() == "accept" }
        }
        let kind = readKind(of: attribute)
        let format = readFormat(method: method)
        var parameters = ParametersReader(
            function: function,
            method: method,
            template: template,
            segment: segment,
            attributes: own,
            kind: kind,
            format: format,
            hasEncoder: hasEncoder
                || ["JSON", "Coders"].flatMap { function.attributes.attributes(named: $0) }
                    .contains { $0.coder("encoder") != nil }
        )
        let read = parameters.read(names: readNames(), defaults: readDefaults(), isSnakeCase: isSnakeCase)
        diagnostics += parameters.diagnostics
        checkHeaders(attributes.headers, read)
        checkNames(
            in: (Self.namesInTarget + ["Sample"]).flatMap { function.attributes.attributes(named: $0) },
            read
        )
        let (encoder, decoder) = readCoders(
            sendsJSON: format == .json && read.contains { $0.role == .body || $0.role == .member },
            isDecoded: output.isDecoded || attributes.hasErrorBody
                || !function.attributes.attributes(named: "KeyPath").isEmpty
        )
        let keyPath = readKeyPath()
        let pagination = readPagination(hiding: read)
        let webSocketArguments = readWebSocketArguments(attribute, output, hiding: read)
        check(output, kind: kind, hasKeyPath: keyPath != nil)
        if kind == .byStatus, let validation = function.attributes.attributes(named: "Validation").first {
            report(MacroDiagnostic.conflict("@Validation", "@ByStatus").at(validation))
        }
        return Endpoint(
            name: function.name.plainName,
            caseName: function.name.plainName,
            documentation: function.documentation,
            specifiers: specifiers,
            method: method,
            template: template,
            parameters: read,
            kind: kind,
            format: format,
            output: output,
            arrow: output == .nothing ? "" : " \(function.signature.returnClause?.trimmedDescription ?? "")",
            throwsMoyaError: function.signature.effectSpecifiers?.throwsClause?.type != nil,
            headers: attributes.headers,
            urlStyle: attributes.urlStyle,
            authorization: attributes.authorization,
            keyPath: keyPath,
            pagination: pagination,
            webSocketArguments: webSocketArguments,
            validation: kind == .byStatus ? output.resultType.map { "\($0).validationType" } : attributes.validation,
            errorBody: attributes.errorBody,
            statusErrorBodies: attributes.statusErrorBodies,
            retry: attributes.retry,
            idempotencyKeys: readIdempotencyKeys(attributes, method: method),
            encoder: encoder,
            decoder: decoder,
            streamEnd: readStreamEnd(output),
            timeout: attributes.timeout,
            timeouts: attributes.timeouts,
            cachePolicy: attributes.cachePolicy,
            sample: readSample()
        )
    }

    /// The attributes of other modules, and the modifiers.
    private var specifiers: [String] {
        let attributes = function.attributes.compactMap { $0.as(AttributeSyntax.self) }
            .filter { !Self.methodNames.contains($0.shortName) && !Self.otherNames.contains($0.shortName) }
        return attributes.map(\.trimmedDescription) + function.modifiers.map(\.trimmedDescription)
    }

    mutating func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

    /// Returns an attribute, and reports repetitions.
    mutating func attribute(named name: String) -> AttributeSyntax? {
        let all = function.attributes.attributes(named: name)
        for second in all.dropFirst() { report(MacroDiagnostic.repeatedAttribute(name).at(second)) }
        return all.first
    }

    private mutating func readMethodAttribute() -> AttributeSyntax? {
        let all = function.attributes.compactMap { $0.as(AttributeSyntax.self) }
            .filter { $0.canBelongToMoya && Self.methodNames.contains($0.shortName) }
        for second in all.dropFirst() {
            let fixIt = FixIt.removing(second)
            report(MacroDiagnostic.twoMethods.at(second, fixIts: [fixIt]))
        }
        if all.isEmpty {
            let attribute = "@GET(\"/\(function.name.plainName)\")"
            let fixIt = FixIt.adding(attribute, to: function)
            report(MacroDiagnostic.noMethod(function.name.text).at(function.name, fixIts: [fixIt]))
        }
        return all.first
    }

    private mutating func readRoute(_ attribute: AttributeSyntax) -> (String, PathTemplate, StringSegmentSyntax?)? {
        var arguments = attribute.argumentList.filter { $0.label == nil }.map(\.expression)
        var method = attribute.shortName
        if method == "HTTP" {
            guard !arguments.isEmpty else { return nil }
            let expression = arguments.removeFirst()
            guard let segment = expression.plainSegment else {
                report(MacroDiagnostic.noLiteral.at(expression))
                return nil
            }
            method = segment.content.text
            if !method.isToken { report(MacroDiagnostic.invalidMethod.at(expression)) }
        }
        // The request for an upgrade is a GET (RFC 6455, section 4.1).
        if method == "WebSocket" { method = "GET" }
        guard let path = arguments.first else {
            if !hasRequestURL { report(MacroDiagnostic.noPath(attribute.shortName).at(attribute)) }
            return (method, PathTemplate(), nil)
        }
        if path.as(StringLiteralExprSyntax.self)?.representedLiteralValue == "" {
            return (method, PathTemplate(), nil)
        }
        guard let segment = path.plainSegment else {
            report(MacroDiagnostic.noLiteral.at(path))
            return nil
        }
        do throws(TemplateParser.Problem) {
            return (method, try TemplateParser.parseTemplate(segment.content.text), segment)
        } catch {
            report(
                MacroDiagnostic.template(error.kind)
                    .at(segment, offset: error.offset, fixIts: FixIt.mending(error, in: segment).map { [$0] } ?? [])
            )
            return nil
        }
    }

    /// Whether a parameter is the URL of the request.
    private var hasRequestURL: Bool {
        function.signature.parameterClause.parameters.contains { ParameterReader($0).marker == .requestURL }
    }

    private mutating func readKind(of method: AttributeSyntax) -> Endpoint.Kind {
        if method.shortName == "WebSocket" {
            for name in ["Stream", "Download", "Paged", "ByStatus"] {
                guard let other = function.attributes.attributes(named: name).first else { continue }
                report(MacroDiagnostic.conflict("@WebSocket", "@\(name)").at(other))
            }
            return .webSocket
        }
        let (download, stream) = (attribute(named: "Download"), attribute(named: "Stream"))
        if let stream, download != nil { report(MacroDiagnostic.streamAndDownload.at(stream)) }
        if let paged = function.attributes.attributes(named: "Paged").first {
            if let other = download ?? stream ?? function.attributes.attributes(named: "ByStatus").first {
                report(MacroDiagnostic.conflict("@\(other.shortName)", "@Paged").at(paged))
            } else {
                return .pages
            }
        }
        if let byStatus = attribute(named: "ByStatus") {
            guard let other = download ?? stream else { return .byStatus }
            report(MacroDiagnostic.conflict("@\(other.shortName)", "@ByStatus").at(byStatus))
        }
        return download != nil ? .download : stream != nil ? .stream : .value
    }

    private mutating func readFormat(method: String) -> Endpoint.Format {
        let (multipart, form) = (attribute(named: "Multipart"), attribute(named: "FormURLEncoded"))
        if multipart != nil, let form { report(MacroDiagnostic.conflict("@Multipart", "@FormURLEncoded").at(form)) }
        if let multipart, !["POST", "PUT", "PATCH"].contains(method) {
            report(MacroDiagnostic.methodTakesNoMultipart(method).at(multipart))
        } else if let form, ["GET", "HEAD"].contains(method) {
            report(MacroDiagnostic.methodTakesNoBody("@FormURLEncoded", method).at(form))
        }
        return multipart != nil ? .multipart : form != nil ? .form : .json
    }

    private mutating func readNames() -> [(name: String, wireName: String, node: ExprSyntax)] {
        guard let argument = attribute(named: "Names")?.firstArgument else { return [] }
        guard let dictionary = argument.as(DictionaryExprSyntax.self),
            case .elements(let elements) = dictionary.content
        else {
            report(MacroDiagnostic.noLiteral.at(argument))
            return []
        }
        return elements.compactMap { element in
            guard let name = element.key.plainSegment, let wireName = element.value.plainSegment else {
                report(MacroDiagnostic.noLiteral.at(element))
                return nil
            }
            return (name.content.text, wireName.content.text, element.key)
        }
    }

    /// Returns the expressions of the parameters' defaults.
    private mutating func readDefaults() -> [(name: String, value: String, node: ExprSyntax)] {
        var defaults: [(name: String, value: String, node: ExprSyntax)] = []
        for attribute in function.attributes.attributes(named: "Default") {
            let arguments = attribute.argumentList.map(\.expression)
            guard arguments.count == 2 else { continue }
            guard let name = arguments[0].plainSegment?.content.text else {
                report(MacroDiagnostic.noLiteral.at(arguments[0]))
                continue
            }
            if defaults.contains(where: { $0.name == name }) {
                report(MacroDiagnostic.secondDefault(name).at(arguments[0]))
            }
            let clientMembers = targetMembers.subtracting(APIReader.targetProperties)
            for token in HiddenNames.find(in: arguments[1], members: clientMembers) {
                report(MacroDiagnostic.hiddenName(token.plainName, in: "client").at(token))
            }
            defaults.append((name, arguments[1].trimmedDescription, arguments[0]))
        }
        return defaults
    }

    /// Returns the expression of the pagination, which becomes part of the client's method.
    private mutating func readPagination(hiding parameters: [Parameter]) -> String? {
        guard let argument = attribute(named: "Paged")?.firstArgument else { return nil }
        checkNamesInClient(argument, parameters)
        return argument.trimmedDescription
    }

    /// Returns the expressions of a WebSocket's options, which become part of the client's method.
    private mutating func readWebSocketArguments(
        _ attribute: AttributeSyntax,
        _ output: Output,
        hiding parameters: [Parameter]
    ) -> [String] {
        if output == .webSocket, let argument = attribute.argument("reconnection") {
            report(MacroDiagnostic.unusedReconnection.at(argument))
        }
        return ["options", "reconnection"].compactMap { label in
            guard let argument = attribute.argument(label) else { return nil }
            checkNamesInClient(argument, parameters)
            return "\(label): \(argument.trimmedDescription)"
        }
    }

    /// Checks that the names in an expression are not shadowed in the client's method.
    private mutating func checkNamesInClient(_ expression: ExprSyntax, _ parameters: [Parameter]) {
        let members = targetMembers.subtracting(APIReader.targetProperties).union(parameters.map(\.name))
        for token in HiddenNames.find(in: expression, members: members) {
            report(MacroDiagnostic.hiddenName(token.plainName, in: "client").at(token))
        }
    }

    /// Returns the keys of a method that is not idempotent.
    private mutating func readIdempotencyKeys(_ attributes: CommonAttributes, method: String) -> String? {
        guard ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PUT", "DELETE"].contains(method) else {
            return attributes.idempotencyKeys
        }
        if let attribute = function.attributes.attributes(named: "Idempotent").first {
            report(MacroDiagnostic.alreadyIdempotent(method).at(attribute, fixIts: [.removing(attribute)]))
        }
        return nil
    }

    /// Returns the encoder and the decoder of the method.
    private mutating func readCoders(sendsJSON: Bool, isDecoded: Bool) -> (encoder: Coder?, decoder: Coder?) {
        let (json, any) = (attribute(named: "JSON"), attribute(named: "Coders"))
        if json != nil, let any { report(MacroDiagnostic.conflict("@JSON", "@Coders").at(any)) }
        guard let attribute = json ?? any else { return (nil, nil) }
        let (encoder, decoder) = (attribute.coder("encoder"), attribute.coder("decoder"))
        if encoder == nil, decoder == nil { report(MacroDiagnostic.noCoder(attribute.shortName).at(attribute)) }
        if let encoder, !sendsJSON { report(MacroDiagnostic.unusedEncoder.at(encoder)) }
        if let decoder, !isDecoded { report(MacroDiagnostic.unusedDecoder.at(decoder)) }
        for token in [encoder, decoder].compactMap(\.self).flatMap({ HiddenNames.find(in: $0, members: targetMembers) })
        {
            report(MacroDiagnostic.hiddenName(token.plainName).at(token))
        }
        return (
            encoder.map {
                Coder(
                    type: json == nil
                        ? "any MoyaGenerated.RequestEncoder & MoyaGenerated.Sendable" : "MoyaGenerated.JSONEncoder",
                    expression: $0.trimmedDescription
                )
            },
            decoder.map {
                Coder(
                    type: json == nil
                        ? "any MoyaGenerated.ResponseDecoder & MoyaGenerated.Sendable" : "MoyaGenerated.JSONDecoder",
                    expression: $0.trimmedDescription
                )
            }
        )
    }

    /// Returns the literal of the data that ends a stream of events.
    private mutating func readStreamEnd(_ output: Output) -> String? {
        guard let argument = attribute(named: "Stream")?.argument("until"), !argument.is(NilLiteralExprSyntax.self)
        else {
            return nil
        }
        guard let segment = argument.plainSegment else {
            report(MacroDiagnostic.noLiteral.at(argument))
            return nil
        }
        guard case .decodedEvents = output else {
            report(MacroDiagnostic.endWithoutEvents.at(argument))
            return nil
        }
        return SwiftText.literal(segment.content.text)
    }

    private mutating func readKeyPath() -> String? {
        guard let argument = attribute(named: "KeyPath")?.firstArgument else { return nil }
        guard let segment = argument.plainSegment else {
            report(MacroDiagnostic.noLiteral.at(argument))
            return nil
        }
        return SwiftText.literal(segment.content.text)
    }

    private mutating func readSample() -> Sample? {
        guard let argument = attribute(named: "Sample")?.firstArgument else { return nil }
        if argument.is(StringLiteralExprSyntax.self) { return .text(argument.trimmedDescription) }
        if argument.is(ClosureExprSyntax.self) { return .function(argument.trimmedDescription) }
        return .value(argument.trimmedDescription)
    }
}

extension TokenSyntax {
    /// Whether the token is an operator.
    fileprivate var isOperator: Bool {
        switch tokenKind {
        case .binaryOperator, .prefixOperator, .postfixOperator, .equal, .exclamationMark, .prefixAmpersand, .arrow,
            .infixQuestionMark, .postfixQuestionMark, .leftAngle, .rightAngle:
            true
        default: false
        }
    }
}
#endif
