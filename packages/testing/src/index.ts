export { createServer, type InjectedResponse, type InjectOptions, type ServerOptions, type TestServer } from '@gatewright/core'
export { basicAuth } from './basic-auth.ts'
export { busyLoop } from './busy-loop.ts'
export { configError, configErrorAt } from './config-error.ts'
export { cpuStopwatch } from './cpu-time.ts'
export { type DatabaseServer, hasMariadb, hasPostgres, mariadbServer, postgresServer } from './database-server.ts'
export { altered } from './fakes/altered.ts'
export { anyMethod } from './fakes/any-method.ts'
export {
  type AuthorizerAnswer,
  type AuthorizerQuestion,
  type FakeAuthorizer,
  fakeAuthorizer,
  recordOf,
} from './fakes/authorizer.ts'
export { headerLogin } from './fakes/header-login.ts'
export { headerVariables } from './fakes/header-variables.ts'
export {
  type DnsRecord,
  NameServer,
  nameBytes,
  type Owner,
  type RecordType,
  type Reply,
  reverseName,
} from './fakes/name-server.ts'
export { withServices } from './fakes/with-services.ts'
export { lintFindings } from './lint-findings.ts'
export { type LongWork, longWork } from './long-work.ts'
export { moduleLog } from './module-log.ts'
export { type HookCall, type ObservedHook, observedHook } from './observed-hook.ts'
export { type ObservedModule, observedModule } from './observed-module.ts'
export { hasPhpFpm, type PhpFpm, phpFpm } from './php-fpm.ts'
export { type RawOptions, rawExchange } from './raw-exchange.ts'
export { type RequestRecorder, requestRecorder } from './request-recorder.ts'
export { seededNumbers } from './seeded-numbers.ts'
export { servedMeanwhile } from './served-meanwhile.ts'
export { servedRequest } from './served-request.ts'
export { type FileTree, type FileWithMode, serverRoot } from './server-root.ts'
export { silentPort } from './silent-port.ts'
export { type SiteOptions, site } from './site.ts'
export { hasSlapd, type Slapd, type SlapdOptions, slapd } from './slapd.ts'
export { hasMemcached, hasRedis, memcachedStore, redisStore, type StoreServer } from './store-server.ts'
