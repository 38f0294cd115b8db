/**
 * The directives of httpd's modules, by module, which are known with {@link OWN_DIRECTIVES}: for advice about names that no loaded module declares,
 * whether this server has the module or not. Containers have their bracket. Core's own directives and those
 * of compiled-in modules are always known.
 */
const DIRECTIVES: Readonly<Record<string, string>> = {
  access_compat: 'Order Allow Deny Satisfy',
  actions: 'Action Script',
  alias:
    'Alias ScriptAlias Redirect AliasMatch ScriptAliasMatch RedirectMatch RedirectTemp RedirectPermanent ' +
    'RedirectRelative AliasPreservePath',
  allowmethods: 'AllowMethods',
  auth_basic: 'AuthBasicProvider AuthBasicAuthoritative AuthBasicFake AuthBasicUseDigestAlgorithm',
  auth_digest:
    'AuthDigestProvider AuthDigestQop AuthDigestNonceLifetime AuthDigestNcCheck AuthDigestAlgorithm ' +
    'AuthDigestDomain AuthDigestShmemSize',
  auth_form:
    'AuthFormProvider AuthFormUsername AuthFormPassword AuthFormLocation AuthFormMethod AuthFormMimetype ' +
    'AuthFormBody AuthFormSize AuthFormLoginRequiredLocation AuthFormLoginSuccessLocation AuthFormLogoutLocation ' +
    'AuthFormSitePassphrase AuthFormAuthoritative AuthFormFakeBasicAuth AuthFormDisableNoStore',
  authn_anon: 'Anonymous Anonymous_MustGiveEmail Anonymous_NoUserId Anonymous_VerifyEmail Anonymous_LogEmail',
  authn_core: 'AuthType AuthName <AuthnProviderAlias',
  authn_dbd: 'AuthDBDUserPWQuery AuthDBDUserRealmQuery',
  authn_dbm: 'AuthDBMUserFile AuthDBMType',
  authn_file: 'AuthUserFile',
  authn_socache: 'AuthnCacheSOCache AuthnCacheEnable AuthnCacheProvideFor AuthnCacheTimeout AuthnCacheContext',
  authnz_fcgi: 'AuthnzFcgiDefineProvider AuthnzFcgiCheckAuthnProvider',
  authnz_ldap:
    'AuthLDAPURL AuthLDAPBindDN AuthLDAPBindPassword AuthLDAPBindAuthoritative AuthLDAPRemoteUserIsDN ' +
    'AuthLDAPRemoteUserAttribute AuthLDAPCompareDNOnServer AuthLDAPSubGroupAttribute AuthLDAPSubGroupClass ' +
    'AuthLDAPMaxSubGroupDepth AuthLDAPGroupAttribute AuthLDAPGroupAttributeIsDN AuthLDAPDereferenceAliases ' +
    'AuthLDAPCharsetConfig AuthLDAPAuthorizePrefix AuthLDAPInitialBindAsUser AuthLDAPInitialBindPattern ' +
    'AuthLDAPSearchAsUser AuthLDAPCompareAsUser',
  authz_core: '<AuthzProviderAlias Require <RequireAll <RequireAny <RequireNone AuthMerging AuthzSendForbiddenOnFailure',
  authz_dbd: 'AuthzDBDLoginToReferer AuthzDBDQuery AuthzDBDRedirectQuery',
  authz_dbm: 'AuthDBMGroupFile AuthzDBMType',
  authz_groupfile: 'AuthGroupFile',
  autoindex:
    'AddIcon AddIconByType AddIconByEncoding AddAlt AddAltByType AddAltByEncoding IndexOptions IndexOrderDefault ' +
    'IndexIgnore IndexIgnoreReset AddDescription HeaderName ReadmeName FancyIndexing DefaultIcon IndexStyleSheet ' +
    'IndexHeadInsert',
  brotli: 'BrotliFilterNote BrotliCompressionQuality BrotliCompressionWindow BrotliCompressionMaxInputBlock ' + 'BrotliAlterETag',
  buffer: 'BufferSize',
  cache:
    'CacheEnable CacheDisable CacheMaxExpire CacheMinExpire CacheDefaultExpire CacheQuickHandler ' +
    'CacheIgnoreNoLastMod CacheIgnoreCacheControl CacheStoreExpired CacheStorePrivate CacheStoreNoStore ' +
    'CacheIgnoreHeaders CacheIgnoreQueryString CacheIgnoreURLSessionIdentifiers CacheLastModifiedFactor CacheLock ' +
    'CacheLockPath CacheLockMaxAge CacheHeader CacheDetailHeader CacheKeyBaseURL CacheStaleOnError',
  cache_disk: 'CacheRoot CacheDirLevels CacheDirLength CacheMinFileSize CacheMaxFileSize CacheReadSize CacheReadTime',
  cache_socache:
    'CacheSocache CacheSocacheMaxTime CacheSocacheMinTime CacheSocacheMaxSize CacheSocacheReadSize ' + 'CacheSocacheReadTime',
  case_filter: 'CaseFilter',
  case_filter_in: 'CaseFilterIn',
  cern_meta: 'MetaFiles MetaDir MetaSuffix',
  cgi: 'ScriptLog ScriptLogLength ScriptLogBuffer CGIScriptTimeout',
  cgid: 'ScriptLog ScriptLogLength ScriptLogBuffer ScriptSock CGIDScriptTimeout',
  charset_lite: 'CharsetSourceEnc CharsetDefault CharsetOptions',
  dav: 'DAV DAVBasePath DAVMinTimeout DAVDepthInfinity DAVLockDiscovery',
  dav_fs: 'DAVLockDB',
  dav_lock: 'DAVGenericLockDB',
  dbd: 'DBDriver DBDParams DBDPersist DBDPrepareSQL DBDInitSQL DBDMin DBDKeep DBDMax DBDExptime',
  deflate:
    'DeflateFilterNote DeflateWindowSize DeflateBufferSize DeflateMemLevel DeflateCompressionLevel ' +
    'DeflateInflateLimitRequestBody DeflateInflateRatioLimit DeflateInflateRatioBurst DeflateAlterEtag',
  dialup: 'ModemStandard',
  dir: 'FallbackResource DirectoryIndex DirectorySlash DirectoryCheckHandler DirectoryIndexRedirect',
  dumpio: 'DumpIOInput DumpIOOutput',
  echo: 'ProtocolEcho',
  env: 'PassEnv SetEnv UnsetEnv',
  expires: 'ExpiresActive ExpiresByType ExpiresDefault',
  ext_filter: 'ExtFilterOptions ExtFilterDefine',
  file_cache: 'cachefile mmapfile',
  filter: 'FilterDeclare FilterProvider FilterChain FilterTrace AddOutputFilterByType FilterProtocol',
  headers: 'Header RequestHeader',
  heartbeat: 'HeartbeatAddress',
  heartmonitor: 'HeartbeatListen HeartbeatStorage HeartbeatMaxServers',
  http2:
    'H2MaxSessionStreams H2WindowSize H2MinWorkers H2MaxWorkers H2MaxWorkerIdleSeconds H2StreamMaxMemSize ' +
    'H2SerializeHeaders H2ModernTLSOnly H2Upgrade H2Direct H2SessionExtraFiles H2TLSWarmUpSize H2TLSCoolDownSecs ' +
    'H2Push H2PushPriority H2PushDiarySize H2CopyFiles H2PushResource H2EarlyHints H2Padding H2OutputBuffering ' +
    'H2StreamTimeout H2MaxDataFrameLen H2MaxHeaderBlockLen H2MaxStreamErrors H2EarlyHint H2ProxyRequests ' +
    'H2WebSockets',
  ident: 'IdentityCheck IdentityCheckTimeout',
  imagemap: 'ImapMenu ImapDefault ImapBase',
  include:
    'XBitHack SSIErrorMsg SSITimeFormat SSIStartTag SSIEndTag SSIUndefinedEcho SSILegacyExprParser SSILastModified ' + 'SSIEtag',
  info: 'AddModuleInfo',
  lbmethod_heartbeat: 'HeartbeatStorage',
  ldap:
    'LDAPSharedCacheSize LDAPSharedCacheFile LDAPCacheEntries LDAPCacheTTL LDAPOpCacheEntries LDAPOpCacheTTL ' +
    'LDAPTrustedGlobalCert LDAPTrustedClientCert LDAPTrustedMode LDAPVerifyServerCert LDAPConnectionTimeout ' +
    'LDAPReferrals LDAPReferralHopLimit LDAPLibraryDebug LDAPTimeout LDAPConnectionPoolTTL LDAPRetries ' +
    'LDAPRetryDelay',
  log_debug: 'LogMessage',
  log_forensic: 'ForensicLog',
  lua:
    'LuaRoot LuaPackagePath LuaPackageCPath LuaAuthzProvider LuaHookPreTranslateName <LuaHookPreTranslateName ' +
    'LuaHookTranslateName <LuaHookTranslateName LuaHookFixups <LuaHookFixups LuaHookMapToStorage ' +
    '<LuaHookMapToStorage LuaHookCheckUserID <LuaHookCheckUserID LuaHookTypeChecker <LuaHookTypeChecker ' +
    'LuaHookAccessChecker <LuaHookAccessChecker LuaHookAuthChecker <LuaHookAuthChecker LuaHookInsertFilter ' +
    'LuaHookLog LuaScope LuaInherit LuaCodeCache LuaQuickHandler <LuaQuickHandler Lua_____ByteCodeHack ' +
    'LuaMapHandler LuaOutputFilter LuaInputFilter',
  macro: '<Macro Use UndefMacro MacroIgnoreEmptyArgs MacroIgnoreBadNesting',
  md:
    'MDCertificateAuthority MDCertificateAgreement MDCAChallenges MDCertificateProtocol MDContactEmail MDDriveMode ' +
    'MDRenewMode MDomain <MDomainSet <MDomain MDMember MDMembers MDMustStaple MDPortMap MDPrivateKeys MDHttpProxy ' +
    'MDStoreDir MDRenewWindow MDRequireHttps MDNotifyCmd MDBaseServer MDChallengeDns01 MDChallengeDns01Version ' +
    'MDCertificateFile MDCertificateKeyFile MDServerStatus MDCertificateStatus MDWarnWindow MDMessageCmd MDStapling ' +
    'MDStapleOthers MDStaplingKeepResponse MDStaplingRenewWindow MDCertificateCheck MDActivationDelay ' +
    'MDCACertificateFile MDHttpProxyCACertificateFile MDExternalAccountBinding MDRetryDelay MDRetryFailover ' +
    'MDStoreLocks MDMatchNames MDInitialDelay MDCheckInterval MDProfile MDProfileMandatory MDRenewViaARI',
  mime:
    'AddCharset AddEncoding AddHandler AddInputFilter AddLanguage AddOutputFilter AddType DefaultLanguage ' +
    'MultiviewsMatch RemoveCharset RemoveEncoding RemoveHandler RemoveInputFilter RemoveLanguage RemoveOutputFilter ' +
    'RemoveType TypesConfig ModMimeUsePathInfo',
  mime_magic: 'MimeMagicFile',
  negotiation: 'CacheNegotiatedDocs LanguagePriority ForceLanguagePriority',
  proxy:
    '<Proxy <ProxyMatch ProxyRequests ProxyRemote ProxyRemoteMatch ProxyPassInterpolateEnv ProxyPass ProxyPassMatch ' +
    'ProxyPassReverse ProxyPassReverseCookiePath ProxyPassReverseCookieDomain ProxyBlock ProxyReceiveBufferSize ' +
    'ProxyIOBufferSize ProxyMaxForwards NoProxy ProxyDomain ProxyVia ProxyErrorOverride ProxyPreserveHost ' +
    'ProxyTimeout ProxyBadHeader BalancerMember BalancerGrowth BalancerPersist BalancerInherit ProxyPassInherit ' +
    'ProxyStatus ProxySet ProxySourceAddress ProxyAddHeaders Proxy100Continue',
  proxy_connect: 'AllowCONNECT',
  proxy_express: 'ProxyExpressEnable ProxyExpressDBMFile ProxyExpressDBMType',
  php: 'php_value php_flag php_admin_value php_admin_flag PHPIniDir',
  proxy_fcgi: 'ProxyFCGIBackendType ProxyFCGISetEnvIf',
  proxy_ftp: 'ProxyFtpListOnWildcard ProxyFtpEscapeWildcards ProxyFtpDirCharset',
  proxy_hcheck: 'ProxyHCTemplate ProxyHCExpr ProxyHCTPsize',
  proxy_html:
    'ProxyHTMLEvents ProxyHTMLLinks ProxyHTMLURLMap ProxyHTMLDoctype ProxyHTMLFixups ProxyHTMLMeta ProxyHTMLInterp ' +
    'ProxyHTMLExtended ProxyHTMLStripComments ProxyHTMLBufSize ProxyHTMLCharsetOut ProxyHTMLEnable',
  proxy_scgi: 'ProxySCGISendfile ProxySCGIInternalRedirect',
  proxy_wstunnel: 'ProxyWebsocketFallbackToProxyHttp',
  reflector: 'ReflectorHeader',
  remoteip:
    'RemoteIPHeader RemoteIPProxiesHeader RemoteIPTrustedProxy RemoteIPInternalProxy RemoteIPTrustedProxyList ' +
    'RemoteIPInternalProxyList RemoteIPProxyProtocol RemoteIPProxyProtocolExceptions',
  reqtimeout: 'RequestReadTimeout',
  request: 'KeptBodySize',
  rewrite: 'RewriteEngine RewriteOptions RewriteBase RewriteCond RewriteRule RewriteMap',
  sed: 'OutputSed InputSed',
  session: 'Session SessionMaxAge SessionHeader SessionEnv SessionInclude SessionExclude SessionExpiryUpdateInterval',
  session_cookie: 'SessionCookieName SessionCookieName2 SessionCookieRemove',
  session_crypto: 'SessionCryptoPassphrase SessionCryptoPassphraseFile SessionCryptoCipher SessionCryptoDriver',
  session_dbd:
    'SessionDBDSelectLabel SessionDBDInsertLabel SessionDBDUpdateLabel SessionDBDDeleteLabel SessionDBDPerUser ' +
    'SessionDBDCookieRemove SessionDBDCookieName SessionDBDCookieName2',
  setenvif: 'SetEnvIf SetEnvIfNoCase SetEnvIfExpr BrowserMatch BrowserMatchNoCase',
  socache_memcache: 'MemcacheConnTTL',
  socache_redis: 'RedisConnPoolTTL RedisTimeout',
  speling: 'CheckSpelling CheckCaseOnly CheckBasenameMatch',
  ssl:
    'SSLPassPhraseDialog SSLSessionCache SSLCryptoDevice SSLRandomSeed SSLVHostSNIPolicy SSLEngine SSLFIPS ' +
    'SSLCipherSuite SSLCertificateFile SSLCertificateKeyFile SSLCertificateChainFile SSLSessionTicketKeyFile ' +
    'SSLCACertificatePath SSLCACertificateFile SSLCADNRequestPath SSLCADNRequestFile SSLCARevocationPath ' +
    'SSLCARevocationFile SSLCARevocationCheck SSLVerifyClient SSLVerifyDepth SSLSessionCacheTimeout SSLProtocol ' +
    'SSLHonorCipherOrder SSLCompression SSLSessionTickets SSLInsecureRenegotiation SSLUserName ' +
    'SSLStrictSNIVHostCheck SSLSRPVerifierFile SSLSRPUnknownUserSeed SSLProxyEngine SSLProxyProtocol ' +
    'SSLProxyCipherSuite SSLProxyVerify SSLProxyVerifyDepth SSLProxyCACertificateFile SSLProxyCACertificatePath ' +
    'SSLProxyCARevocationPath SSLProxyCARevocationFile SSLProxyCARevocationCheck SSLProxyMachineCertificateFile ' +
    'SSLProxyMachineCertificatePath SSLProxyMachineCertificateChainFile SSLProxyCheckPeerExpire SSLProxyCheckPeerCN ' +
    'SSLProxyCheckPeerName SSLOptions SSLRequireSSL SSLRequire SSLRenegBufferSize SSLOCSPEnable ' +
    'SSLOCSPDefaultResponder SSLOCSPOverrideResponder SSLOCSPResponseTimeSkew SSLOCSPResponseMaxAge ' +
    'SSLOCSPResponderTimeout SSLOCSPUseRequestNonce SSLOCSPProxyURL SSLOCSPNoVerify SSLOCSPResponderCertificateFile ' +
    'SSLStaplingCache SSLUseStapling SSLStaplingResponseTimeSkew SSLStaplingResponderTimeout ' +
    'SSLStaplingResponseMaxAge SSLStaplingStandardCacheTimeout SSLStaplingReturnResponderErrors ' +
    'SSLStaplingFakeTryLater SSLStaplingErrorCacheTimeout SSLStaplingForceURL SSLOpenSSLConfCmd SSLLog SSLLogLevel',
  substitute: 'Substitute SubstituteMaxLineLength SubstituteInheritBefore',
  suexec: 'SuexecUserGroup',
  userdir: 'UserDir',
  usertrack: 'CookieExpires CookieDomain CookieStyle CookieTracking CookieName CookieSameSite CookieSecure CookieHttpOnly',
  vhost_alias: 'VirtualScriptAlias VirtualDocumentRoot VirtualScriptAliasIP VirtualDocumentRootIP',
  xml2enc: 'xml2EncDefault xml2EncAlias xml2StartParse',
}

/** The directives of modules that httpd does not have, by module. */
const OWN_DIRECTIVES: Readonly<Record<string, string>> = {
  auth_bearer:
    'AuthBearerAlgorithms AuthBearerKeys AuthBearerIssuer AuthBearerAudience AuthBearerSkew AuthBearerTokenType ' +
    'AuthBearerUserClaim AuthBearerIntrospection',
  auth_forward: 'AuthForwardURL AuthForwardCopy AuthForwardUser AuthForwardTimeout AuthForwardCache',
  auth_openidc:
    'OIDCClientID OIDCClientSecret OIDCRedirectURI OIDCCryptoPassphrase OIDCScope OIDCAuthRequestParams ' +
    'OIDCPKCEMethod OIDCResponseType OIDCResponseMode OIDCCacheDir OIDCCacheFileCleanInterval OIDCMemCacheServers ' +
    'OIDCMemCacheConnectionsMin OIDCMemCacheConnectionsSMax OIDCMemCacheConnectionsHMax ' +
    'OIDCMemCacheConnectionsTTL OIDCRedisCacheServer OIDCRedisCacheUsername OIDCRedisCachePassword ' +
    'OIDCRedisCacheDatabase OIDCRedisCacheConnectTimeout OIDCRedisCacheTimeout OIDCOAuthServerMetadataURL ' +
    'OIDCOAuthIntrospectionEndpoint OIDCOAuthClientID OIDCOAuthClientSecret OIDCOAuthIntrospectionEndpointAuth ' +
    'OIDCOAuthIntrospectionClientAuthBearerToken OIDCOAuthIntrospectionEndpointCert ' +
    'OIDCOAuthIntrospectionEndpointKey OIDCOAuthIntrospectionEndpointMethod OIDCOAuthIntrospectionEndpointParams ' +
    'OIDCOAuthIntrospectionTokenParamName OIDCOAuthTokenExpiryClaim OIDCOAuthTokenIntrospectionInterval ' +
    'OIDCOAuthSSLValidateServer OIDCOAuthVerifySharedKeys OIDCOAuthVerifyCertFiles OIDCOAuthVerifyJwksUri ' +
    'OIDCOAuthRemoteUserClaim OIDCOAuthAcceptTokenAs OIDCOAuthAccessTokenBindingPolicy OIDCMetadataDir ' +
    'OIDCDiscoverURL OIDCProviderRegistrationEndpointJson OIDCUserInfoEncryptedResponseAlg ' +
    'OIDCUserInfoEncryptedResponseEnc OIDCUserInfoSignedResponseAlg OIDCProviderVerifyCertFiles ' +
    'OIDCProviderJwksUri OIDCClientTokenEndpointCert OIDCClientTokenEndpointKey ' +
    'OIDCClientTokenEndpointKeyPassword OIDCProviderTokenEndpointParams OIDCProviderRevocationEndpoint ' +
    'OIDCRequestObject OIDCPreservePost OIDCOutgoingProxy OIDCUserInfoRefreshInterval OIDCSessionMaxDuration ' +
    'OIDCRefreshAccessTokenBeforeExpiry OIDCSessionCacheFallbackToCookie OIDCProviderAuthRequestMethod ' +
    'OIDCUserInfoTokenMethod OIDCCacheType OIDCProviderCheckSessionIFrame OIDCProviderBackChannelLogoutSupported ' +
    'OIDCClientName OIDCClientContact OIDCClientJwksUri OIDCTokenBindingPolicy OIDCJWKSRefreshInterval ' +
    'OIDCSessionCookieChunkSize OIDCCookieSameSite OIDCCacheEncrypt OIDCCacheShmMax OIDCCacheShmEntrySizeMax ' +
    'OIDCStateInputHeaders OIDCHTMLErrorTemplate OIDCPublicKeyFiles OIDCPrivateKeyFiles ' +
    'OIDCIDTokenEncryptedResponseAlg OIDCIDTokenEncryptedResponseEnc OIDCProviderMetadataURL OIDCProviderIssuer ' +
    'OIDCProviderAuthorizationEndpoint OIDCProviderTokenEndpoint OIDCProviderUserInfoEndpoint ' +
    'OIDCProviderEndSessionEndpoint OIDCProviderTokenEndpointAuth OIDCProviderMetadataRefreshInterval ' +
    'OIDCIDTokenSignedResponseAlg OIDCIDTokenIatSlack OIDCSSLValidateServer OIDCCABundlePath OIDCValidateIssuer ' +
    'OIDCHTTPTimeoutLong OIDCHTTPTimeoutShort OIDCCookie OIDCCookiePath OIDCPassClaimsAs OIDCAuthNHeader ' +
    'OIDCUnAuthAction OIDCUnAutzAction OIDCPassCookies OIDCStripCookies OIDCPathScope OIDCPathAuthRequestParams ' +
    'OIDCPassRefreshToken OIDCRemoteUserClaim OIDCClaimPrefix OIDCClaimDelimiter OIDCPassIDTokenAs ' +
    'OIDCPassUserInfoAs OIDCBlackListedClaims OIDCWhiteListedClaims OIDCSessionInactivityTimeout OIDCSessionType ' +
    'OIDCCookieDomain OIDCCookieHTTPOnly OIDCStateCookiePrefix OIDCStateMaxNumberOfCookies OIDCStateTimeout ' +
    'OIDCDefaultURL OIDCDefaultLoggedOutURL OIDCRedirectURLsAllowed OIDCLogoutXFrameOptions OIDCInfoHook ' +
    'OIDCXForwardedHeaders',
  auth_request: 'AuthRequestFields AuthRequestTrust AuthRequestSet AuthRequestGroups AuthRequestReason AuthRequestPaths',
  authz_audit: 'AuthzAuditLog',
  request_rate: 'RequestRate RequestRateDryRun',
  fcgid:
    'FcgidAccessChecker FcgidAccessCheckerAuthoritative FcgidAuthenticator ' +
    'FcgidAuthenticatorAuthoritative FcgidAuthorizer FcgidAuthorizerAuthoritative FcgidBusyScanInterval ' +
    'FcgidBusyTimeout FcgidCmdOptions FcgidConnectTimeout FcgidErrorScanInterval FcgidFixPathinfo ' +
    'FcgidIOTimeout FcgidIPCDir FcgidIdleScanInterval FcgidIdleTimeout FcgidInitialEnv FcgidMaxProcesses ' +
    'FcgidMaxProcessesPerClass FcgidMaxRequestInMem FcgidMaxRequestLen FcgidMaxRequestsPerProcess ' +
    'FcgidMinProcessesPerClass FcgidOutputBufferSize FcgidPassHeader FcgidProcessLifeTime ' +
    'FcgidProcessTableFile FcgidSpawnScore FcgidSpawnScoreUpLimit FcgidTerminationScore FcgidTimeScore ' +
    'FcgidWrapper FcgidZombieScanInterval BusyScanInterval BusyTimeout DefaultInitEnv ' +
    'DefaultMaxClassProcessCount DefaultMinClassProcessCount ErrorScanInterval FCGIWrapper ' +
    'FastCgiAccessChecker FastCgiAccessCheckerAuthoritative FastCgiAuthenticator ' +
    'FastCgiAuthenticatorAuthoritative FastCgiAuthorizer FastCgiAuthorizerAuthoritative IPCCommTimeout ' +
    'IPCConnectTimeout IdleScanInterval IdleTimeout MaxProcessCount MaxRequestInMem MaxRequestLen ' +
    'MaxRequestsPerProcess OutputBufferSize PHP_Fix_Pathinfo_Enable PassHeader ProcessLifeTime ' +
    'SharememPath SocketPath SpawnScore SpawnScoreUpLimit TerminationScore TimeScore ZombieScanInterval',
  wsgi:
    'WSGIAcceptMutex WSGIAccessScript WSGIApplicationGroup WSGIAuthGroupScript WSGIAuthUserScript ' +
    'WSGICallableObject WSGICaseSensitivity WSGIChunkedRequest WSGIDaemonProcess ' +
    'WSGIDestroyInterpreter WSGIDispatchScript WSGIDontWriteBytecode WSGIEnableSendfile ' +
    'WSGIErrorOverride WSGIGroupAuthoritative WSGIHandlerScript WSGIIgnoreActivity WSGIImportScript ' +
    'WSGILazyInitialization WSGIMapHEADToGET WSGINewRelicConfigFile WSGINewRelicEnvironment ' +
    'WSGIPassApacheRequest WSGIPassAuthorization WSGIProcessGroup WSGIPythonEggs WSGIPythonHashSeed ' +
    'WSGIPythonHome WSGIPythonOptimize WSGIPythonPath WSGIPythonWarnings WSGIRestrictEmbedded ' +
    'WSGIRestrictProcess WSGIRestrictSignal WSGIRestrictStdin WSGIRestrictStdout WSGIScriptAlias ' +
    'WSGIScriptAliasMatch WSGIScriptReloading WSGIServerMetrics WSGISocketPrefix WSGISocketRotation ' +
    'WSGITrustedProxies WSGITrustedProxyHeaders WSGIVerboseDebugging',
}

/** Modules of httpd without directives. */
const OTHERS =
  'asis authz_host authz_owner authz_user bucketeer data lbmethod_bybusyness lbmethod_byrequests ' +
  'lbmethod_bytraffic proxy_ajp proxy_balancer proxy_fdpass proxy_http proxy_http2 proxy_uwsgi ratelimit ' +
  'slotmem_plain slotmem_shm socache_dbm socache_shmcb status unique_id'

/** A directive in its original spelling, and the module that declares it. */
export interface DirectiveHome {
  readonly directive: string
  readonly module: string
}

/** By directive name, in lower case. */
export const DIRECTIVE_HOMES: ReadonlyMap<string, DirectiveHome> = new Map(
  Object.entries({ ...DIRECTIVES, ...OWN_DIRECTIVES }).flatMap(([module, names]) =>
    names.split(' ').map((directive): [string, DirectiveHome] => [directive.toLowerCase(), { directive, module }]),
  ),
)

const MODULES: ReadonlySet<string> = new Set([...Object.keys(DIRECTIVES), ...OTHERS.split(' ')])

/** Whether a name is that of a module that comes with httpd: `alias` or `mod_alias`. */
export function isModuleOfHttpd(name: string): boolean {
  return MODULES.has(name.replace(/^mod_/, ''))
}

/** Whether a name is that of a module that comes with httpd or with this server. */
export function isKnownModule(name: string): boolean {
  return isModuleOfHttpd(name) || Object.hasOwn(OWN_DIRECTIVES, name.replace(/^mod_/, ''))
}
