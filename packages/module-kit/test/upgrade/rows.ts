/** Code of a module of the 2.2 line, in its `register` function or instead of it. */
interface Snippet {
  readonly what: string
  readonly code: string
}

/** Code that does not build against 2.4. */
export interface ChangedRow extends Snippet {
  /** Section of UPGRADING.md that every problem refers to. */
  readonly anchor: string
  /** The result of --upgrade; null if the author must decide. */
  readonly upgraded: string | null
}

/** Differences between the lines, at least one row for each entry of API_CHANGES. */
export const CHANGED: readonly ChangedRow[] = [
  {
    what: "the client's address in a rule",
    anchor: 'api-client-address',
    code: "hooks.accessChecker.add((request) => (request.connection.remoteIp === '192.0.2.1' ? HTTP_FORBIDDEN : OK))",
    upgraded: "hooks.accessChecker.add((request) => (request.useragentAddress === '192.0.2.1' ? HTTP_FORBIDDEN : OK))",
  },
  {
    what: "the client's address where there is no request yet",
    anchor: 'api-client-address',
    code: "hooks.preConnection.add((client) => log.write(client, 'info', '', client.remoteIp))",
    upgraded: "hooks.preConnection.add((client) => log.write(client, 'info', '', client.remoteAddress))",
  },
  {
    what: 'the address of a connection that is handed around',
    anchor: 'api-client-address',
    code: 'const textOf = (connection: Connection): string => connection.remoteIp',
    upgraded: null,
  },
  {
    what: "the client's address, taken apart",
    anchor: 'api-client-address',
    code: "hooks.fixups.add(({ connection: { remoteIp } }) => (remoteIp === '192.0.2.1' ? OK : DECLINED))",
    upgraded: null,
  },
  {
    what: "the client's port",
    anchor: 'api-client-port',
    code: 'hooks.fixups.add((request) => (request.connection.remoteAddr.port < 1024 ? OK : DECLINED))',
    upgraded: 'hooks.fixups.add((request) => (request.useragentPort < 1024 ? OK : DECLINED))',
  },
  {
    what: 'the family of an address',
    anchor: 'api-client-port',
    code: "hooks.fixups.add((request) => (request.connection.remoteAddr.family === 'IPv6' ? OK : DECLINED))",
    upgraded: null,
  },
  {
    what: "the name of the client's host",
    anchor: 'api-remote-host',
    code: 'hooks.fixups.add(async (request) => ((await services.remoteHost(request.connection)) === null ? OK : DECLINED))',
    upgraded: 'hooks.fixups.add(async (request) => ((await services.remoteHost(request)) === null ? OK : DECLINED))',
  },
  {
    what: 'the host of a connection alone',
    anchor: 'api-remote-host',
    code: 'const hostOf = (connection: Connection) => services.remoteHost(connection)',
    upgraded: null,
  },
  {
    what: 'Require lines, read by the module itself',
    anchor: 'api-require-lines',
    code: "hooks.authChecker.add((request) => (request.requires()?.some((line) => line.requirement === 'badge') ? OK : DECLINED))",
    upgraded: null,
  },
  {
    what: 'the type of a Require line',
    anchor: 'api-require-lines',
    code: "const isBadge = (line: RequireLine): boolean => line.requirement.startsWith('badge ')",
    upgraded: null,
  },
  {
    what: 'whether a user is asked for',
    anchor: 'api-some-auth-required',
    code: 'hooks.fixups.add((request) => (request.someAuthRequired() ? OK : DECLINED))',
    upgraded: null,
  },
  {
    what: 'AuthType in force',
    anchor: 'api-auth-functions',
    code: "hooks.checkUserId.add((request) => (services.authType(request) === 'Badge' ? OK : DECLINED))",
    upgraded: null,
  },
  {
    what: 'AuthName and Satisfy in force',
    anchor: 'api-auth-functions',
    code: "hooks.checkUserId.add((r) => (services.authName(r) === null && services.satisfies(r) === 'any' ? OK : DECLINED))",
    upgraded: null,
  },
  {
    what: 'the challenge of a 401',
    anchor: 'api-note-auth-failure',
    code: 'hooks.checkUserId.add((request) => (request.noteBasicAuthFailure(), HTTP_UNAUTHORIZED))',
    upgraded: null,
  },
  {
    what: 'the default type',
    anchor: 'api-default-type',
    code: "hooks.typeChecker.add((request) => (request.defaultType() === 'text/plain' ? OK : DECLINED))",
    upgraded: null,
  },
  {
    what: "the server's name and version",
    anchor: 'api-server-version',
    code: "hooks.fixups.add((request) => (request.headersOut.set('X-By', services.serverVersion()), OK))",
    upgraded: "hooks.fixups.add((request) => (request.headersOut.set('X-By', services.serverBanner()), OK))",
  },
  {
    what: 'numbers of the process model',
    anchor: 'api-process-model',
    code: 'const places = services.maxDaemonsLimit * services.threadsPerChild + services.myGeneration',
    upgraded: null,
  },
  {
    what: 'whether the server is about to stop',
    anchor: 'api-process-model',
    code: 'hooks.fixups.add(() => (services.gracefulStopSignalled() ? DONE : OK))',
    upgraded: null,
  },
  {
    what: 'the level of the error log',
    anchor: 'api-loglevel',
    code: "hooks.fixups.add((request) => (request.server.loglevel === 'debug' ? OK : DECLINED))",
    upgraded: null,
  },
  {
    what: 'lines of the configuration, read by a directive',
    anchor: 'api-getline',
    code: 'const linesOf = (command: Command) => command.cfgGetline()',
    upgraded: null,
  },
  {
    what: 'the order of a hook, all of it',
    anchor: 'api-hook-order',
    code: "hooks.handler.add((request) => DECLINED, ['mod_a.c'], ['mod_b.c', 'mod_c.c'], 'last')",
    upgraded: "hooks.handler.add((request) => DECLINED, { after: ['mod_a.c'], before: ['mod_b.c', 'mod_c.c'], rank: 'last' })",
  },
  {
    what: 'the order of a hook, predecessors only',
    anchor: 'api-hook-order',
    code: "hooks.handler.add((request) => DECLINED, ['mod_a.c'])",
    upgraded: "hooks.handler.add((request) => DECLINED, { after: ['mod_a.c'] })",
  },
  {
    what: 'the rank of a hook',
    anchor: 'api-hook-order',
    code: "const RANK = 'first'\n    hooks.handler.add(answer, null, undefined, RANK)",
    upgraded: "const RANK = 'first'\n    hooks.handler.add(answer, { rank: RANK })",
  },
  {
    what: 'an order of a hook that says nothing',
    anchor: 'api-hook-order',
    code: 'hooks.logTransaction.add(() => undefined, null, null)',
    upgraded: 'hooks.logTransaction.add(() => undefined)',
  },
  {
    what: 'a list of predecessors with a name',
    anchor: 'api-hook-order',
    code: "const BEFORE: readonly string[] = ['mod_a.c']\n    host.hooks.handler.add(answer, BEFORE, null, 'first')",
    upgraded:
      "const BEFORE: readonly string[] = ['mod_a.c']\n    host.hooks.handler.add(answer, { after: BEFORE, rank: 'first' })",
  },
  {
    what: 'the order of a hook with a comment in it',
    anchor: 'api-hook-order',
    code: "hooks.handler.add(answer, null /* nobody */, null, 'first')",
    upgraded: null,
  },
  { what: 'the monitor hook', anchor: 'api-gone-hooks', code: 'hooks.monitor.add(() => undefined)', upgraded: null },
  {
    what: 'the hook of the error log',
    anchor: 'api-gone-hooks',
    code: 'hooks.errorLog.add((file, line, level, status, server, request, text) => void text.length)',
    upgraded: null,
  },
]

/** Code that httpd did not change either. */
export const UNCHANGED: readonly Snippet[] = [
  {
    what: 'a handler',
    code: "hooks.handler.add((request) => (request.handler === 'x' ? request.send('text/plain', 'x') : DECLINED))",
  },
  {
    what: 'access_checker and check_user_id',
    code: 'hooks.accessChecker.add(() => OK)\n    hooks.checkUserId.add(() => DECLINED)',
  },
  {
    what: 'an auth_checker that reads no Require lines',
    code: "hooks.authChecker.add(({ user }) => (user === 'root' ? HTTP_FORBIDDEN : DECLINED))",
  },
  {
    what: 'the user and the method of authentication',
    code: "hooks.checkUserId.add((r) => {\n      r.user = 'x'\n      r.authType = 'Badge'\n      return OK\n    })",
  },
  {
    what: 'an authentication provider',
    code: "providers.authn.add('badges', { checkPassword: (request, user, password) => (password === user ? 'granted' : 'denied') })",
  },
  {
    what: 'lines of the error log',
    code: "hooks.fixups.add((r) => (log.write(r, 'error', '', 'it went wrong', new Error('x')), DECLINED))",
  },
  {
    what: 'an optional function',
    code: "const KEY = optionalFunction<(n: number) => void>('x:y')\n    functions.offer(KEY, (n) => void n)\n    functions.get(KEY)?.(1)",
  },
  {
    what: 'header fields, notes and variables',
    code: "hooks.fixups.add((r) => {\n      r.headersOut.set('X-A', r.headersIn.get('Host') ?? '')\n      r.notes.set('a', r.env.get('b') ?? '')\n      return OK\n    })",
  },
  {
    what: 'statuses',
    code: 'hooks.fixups.add((r) => (r.uri === "/t" ? httpStatus(418) : r.uri === "/x" ? HTTP_NOT_FOUND : OK))',
  },
  {
    what: 'sub-requests and redirects',
    code: "hooks.fixups.add(async (r) => ((await r.lookupUri('/x')).status === 200 ? r.internalRedirect('/x') : DECLINED))",
  },
  {
    what: 'a filter',
    code: "providers.outputFilters.add('UP', { name: 'UP', rank: FILTER_RANK.resource, filter: (request, body) => body })\n    hooks.insertFilter.add((r) => r.addOutputFilter('UP'))",
  },
  {
    what: 'hooks of the start',
    code: "hooks.postConfig.add(({ servers }) => (servers[0].serverName === '' ? 'no name' : undefined))\n    hooks.childInit.add((start) => start.print('x'))",
  },
  {
    what: 'text for pages and headers',
    code: "hooks.handler.add((r) => r.send('text/html', escapeHtml(r.uri) + httpDate(r.receivedAt)))",
  },
  {
    what: 'a body that is read',
    code: 'hooks.handler.add(async (r) => {\n      for await (const piece of r.readBody()) void piece.length\n      return DONE\n    })',
  },
  {
    what: 'passwords, names of users, and files that are watched',
    code: "hooks.checkUserId.add(async (r) => ((await services.verifyPassword('h', 'p', r)) && services.userName(0) === services.watchFile(['/x'], () => '').current() ? OK : DECLINED))",
  },
  { what: 'methods', code: 'hooks.fixups.add((r) => (MethodSet.of(M_GET).has(r.methodNumber) ? OK : DECLINED))' },
]
