/**
 * The version of the module API. API 2.4.N corresponds to httpd's module magic number 20120211:N, and the rules are those of its ap_mmn.h:
 * - an addition (an export, a hook, a member of what the host makes, an optional parameter or member) bumps N;
 * - a change that breaks a module (something removed or of another type, a member that modules must now have) bumps the line, 2.4, and with it the
 *   cookie, so that old modules are refused before any number is compared;
 * - fixes, comments, messages and private parts bump nothing; a new meaning requires a new name.
 *
 * `npm run api:check` compares the surface with its report, and holds the number to these rules. See README.md for details.
 *
 * History, one line per bump:
 * - 2.4.0  first version of the 2.4 line.
 * - 2.4.1  AuthzProvider.anyOf.
 * - 2.4.2  DecisionTracer, Request.tracer, DirectoryConfig.sections, ModuleHost.configIn, requireOpinionOf, hostDecisionOf, AuthnProvider.userNames,
 *          HostServices.secret, userName and groupName, storeCredentials, escapeQuotes, listedWords.
 * - 2.4.3  AuthnProvider.decoy, HostServices.refusePassword and costliestHash, a decoy for verifyPassword, Request.lookupEntry,
 *          hasOption and setValidators, shellPattern, isShellPattern, servesName, ConfigServices.condition without Vary, OutputFilter,
 *          Request.addOutputFilter, Hooks.insertFilter, directive.definition, Command.insertLines, Request.variantsFrom, requestReadLimitsOf,
 *          Request.useragentPort and documentRoot, Connection.expectPreface, Server.addresses, HostServices.homeFolder and inventory.
 * - 2.4.4  Request.lookupEntry with a query, STAMP_PREFIX, ModuleStamp.contents (StampedContents), ServingCounters with what adds and names them, Request.refusedBy,
 *          RequestStatus.totalDuration, the counters, reading and process of WorkerStatus, the former, reloads and workerDeaths of ServerStatus, InputFilter,
 *          BodyRefused, isBodyRefused, Providers.inputFilters, Request.addInputFilter and run, SubResponse, Connection.onClose, ModuleHost.optionalHooks,
 *          requestSlot, connectionSlot and onEnd, Slot, OptionalHook, optionalHook, OptionalHooks, OptionalFunction.version, ModuleLog.about, SubjectLog, StartContext.typesConfig, jsonLines, JsonLine, JsonFields, Server.limitRequestLine; HookTypes
 *          and DirectiveSpec have names.
 * - 2.4.5  whenSettled, isPasswordQueueFull, RequireSection, requireSectionsOf, Problem, which directives, providers and hooks of the start may return, DirectiveCommon.effect, the entries peers, stamp, status, text and tracing beside the root, RequireTree.sections, HostServices.resolveAddress, Request.sendText, sendJson and meetsConditions, isByteText, requireByteText, utf8Bytes, NoPromise,
 *          decidesBy of HookOrder, AuthzProvider and AuthnProvider, DecisionBasis, the DecisionStep `decided again`, Request.work, Work, DirectivePlace,
 *          directivePlace, RequestTooExpensive, isRequestTooExpensive, Pattern.search, PatternMatch; functions of fixupHeaders may wait,
 *          contexts, describeTarget, systemError,
 *          HostServices.searchFile and fileText, inTurns, TextReader, SearchedFile, ConfigLineSplitter, Command.walkThen, Request.noCache; an async
 *          Module.register and VoidStartHook are awaited; StreamBody, Request.addFieldsOf.
 * - 2.4.6  ExpressionNames, Providers.expressionNames, ConfigServices.conditionByLength, Server.protocol, schemeOf, connectionTls, tlsValueOf, TlsView, ModuleHost.defaultsOf,
 *          HostServices.retained, RetainedData, Providers.connectionLayers, ConnectionLayer, LayerSink, Connection.serverNamed, Request.hostname,
 *          Protocol, Providers.protocols, LayerSink.speak, Server.protocols, chooseProtocol, Connection.hasUnusedInput,
 *          HostServices.rotatingSecrets and sharedStore, RotatingSecrets, SharedStore, CacheProvider, Providers.caches, RequestReadLimits.handshake, handshakeTimedOut,
 *          Server.aliases, StartContext.isFirst, listeners, terminal and awaitPerson, StartTerminal, ListenedAddress, HostServices.inOneProcess and renewProcesses,
 *          addCertificateFiles, addFallbackCertificateFiles, CertificateFiles, answerChallenge, ChallengeCertificate, extendStatus,
 *          wantsStapling, Request.scheme, SharedStoreFigures, extendStatusLater, Providers.lintRules, LintRule, LintFinding, LintSeverity,
 *          LintedConfiguration, LintedLine, tlsServerOf, TlsServer, TlsServerCertificate,
 *          Request.reason, proxyRequest, target, awaitsContinue, sendInterim, whenGone and mergeSections,
 *          ProxyRequestKind, RequestTarget, TunnelBody, ResponseCut, isResponseCut, Command.walkSection, proxyServes,
 *          Providers.proxySchemes, ProxyScheme, ProxyPassing, ProxyWorker, ProxyWorkerParameters, ProxySettings, ProxyRemote,
 *          Server.traceMethod and keepsEncodedSlashes, HostServices.cgiVariables, ConfigServices.fileKind, FileKind,
 *          outgoingTls, OutgoingTls, the context `proxy`, the cause of ProxyPassing.note, ProxyPassing.blocks, ProxyScheme.accepts,
 *          TunnelBody.isCounted, the type of internalRedirect,
 *          HostServices.sharedRecord, SharedRecord, SharedRecordShape, ProxyPassing.timedOut and sent, ProxyMember, ProxyMemberFigure, proxyWorkerStates, proxyStatesText,
 *          traceDirective, the DecisionSteps `server`, `directive`, `hook`, `handler` and `question`, askShown, ShownQuestion, statementQuestion, rowsText, isAssumedPassword, DecisionTracer.isOffline and assumedPassword,
 *          ProxyBalancer, ProxyBalancerParameters, ProxyBalancerMethod, bestMember, ProxyWorkerParameter, Providers.proxyBalancerMethods and
 *          proxyWorkerParameters, balancersOf, electMember, ElectedMember, memberAnswered, sharedSlots,
 *          parseBasicCredentials, BasicCredentials, SharedRecordShape.outlastsReload, Request.denial, Denial,
 *          Providers.databaseDrivers, DatabaseDriver, DatabaseConnection, DatabaseStatement, DatabaseType, DriverRows, BoundValue, Database,
 *          DatabaseRows, DatabaseValue, DatabaseUnavailable, isDatabaseUnavailable, prepareStatement, databaseOf.
 *          http2SettingsOf, Http2Settings, allowsHttp2Upgrade, http2StreamOf, Http2Stream, the server of LayerSink.speak.
 *          the cause of Command.report, ldapSession, ldapTrustedMode, LdapSession, LdapTarget, LdapUserSearch, LdapUser, LdapOutcome,
 *          LdapUserOutcome, LdapSubgroups.
 *          Request.keptBody, the method of lookupUri, Session, newSession, setSessionValue, sessionOf, loadSession, saveSession, encodeSession, decodeSession, HostServices.readCookie, leadingInteger, CookieWords, cookieWords, cookieField, sessionOrigin, askInTurn, refuseUnknownUser,
 *          Request.customResponse, CustomResponse, noteBasicChallenge, credentialsField, Problem.before.
 *          Request.limitsItsTime, ResponseCut.unlogged, HostServices.programSettings, ProgramSettings, ResourceLimit, includeElement, IncludeElement.
 *          Request.sendRate, SendRate, HostServices.xmlBodyLimit and logXmlRefused.
 *          Http2Settings.maxHeaderBlock and maxStreamErrors, ProtocolRequest, ProtocolResponse, SpokenConnection, Protocol.opening and
 *          acceptsUpgrade, the argument of Protocol.speak.
 *          Request.lookupForeign and observer, ForeignRequest, observeDecision, decisionObserver, DecisionNotes, NotedRule, forwardingPeerOf, ForwardingPeer,
 *          SharedRecordShape.onAdd.
 *          StartContext.runtimeRelative, busyThreads, idleThreads, heartbeatServers, HeartbeatServer, heartbeatFields,
 *          heartbeatAddress, HeartbeatAddress, resolvedHeartbeatAddress.
 *          OutputFilter.prepare, Request.ignoresConditions, HostServices.condition and pattern, ExpressionFunctions,
 *          escapeShell, sizeText, matchUrlPrefix.
 *          Connection.observeTraffic, TrafficObserver, LogTarget.flush.
 *          extendMetrics, MetricFamily, MetricSample, histogramSamples, HostCount, providerGroup, ProviderGroupKey, decodePercent, asciiJson.
 *          SharedStore.reach, increment, compareAndSet, publish and subscribe, HostServices.shared, chooseCache, ChosenCache, NoCache,
 *          requireAmount, requireMessage.
 *          Providers.serverCommands, ServerCommand, ServerCommandResult,
 *          ProxyScheme.connections, ProxyConnections.
 *          HostServices.inheritConnections, ConnectionHeir, PassConnection.
 *          Connection.foreignScheme.
 *          The hook quickHandler, Request.continueAfterFilter, responseStorages, ResponseStorage, StoredHead, StoredResponse, ResponseWriter.
 *          sniffedCharsetOf, Http2Settings.proxyRequests, claimSources, ClaimSource.
 *          ContainerKind, LineKind, ReadContainerKind, ReadContainerMaker, the main server in ModuleHost.placedConfigs,
 *          Request.occupation, ProviderGroup.ownerOf.
 *          Module.capabilities, ModuleCapability, MODULE_CAPABILITIES, ModuleStamp.capabilities.
 *          Command.walkWith and handed, ContainerKey, containerKey, Pattern.namedGroups.
 */
export const API_VERSION = '2.4.6'

/** Magic cookie of this API line; the former line has AP22. */
export const MODULE_MAGIC_COOKIE = 'AP24'

/** httpd's module magic number that this API line corresponds to, used in messages. */
export const MODULE_MAGIC_NUMBER_MAJOR = 20120211

/** The httpd release for `<IfVersion>` and modules. */
export const HTTPD_VERSION = '2.4.71'
