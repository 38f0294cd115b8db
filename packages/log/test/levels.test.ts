import {
  DEFAULT_LEVELS,
  enabled,
  isLogLevel,
  isWritten,
  LEVEL_NAMES,
  LEVELS,
  type LevelSettings,
  mergeLevels,
  parseLevel,
  parseLevelWord,
  passesThreshold,
  UNSET_LEVELS,
  withLevel,
  withModuleLevel,
} from '@gatewright/log'
import t from 'tap'

const KEYWORDS = 'Log level keyword must be one of emerg/alert/crit/error/warn/notice/info/debug/trace1/.../trace8'

t.test('names and numbers of the sixteen levels agree', async (t) => {
  t.equal(LEVEL_NAMES.length, 16)
  for (const [number, name] of LEVEL_NAMES.entries()) t.equal(LEVELS[name], number, name)
  t.equal(LEVELS.debug, 7)
  t.equal(LEVELS.trace8, 15)
})

t.test('level keywords are read in any case and nothing else is one', async (t) => {
  t.equal(parseLevel('warn'), 4)
  t.equal(parseLevel('WaRn'), 4)
  t.equal(parseLevel('Trace8'), 15)
  for (const word of ['', 'warning', 'errors', 'trace', 'trace0', 'trace9', 'trace10', 'tracex', 'emergency', '4', 'toString']) {
    t.equal(parseLevel(word), undefined, word)
  }
  t.ok(isLogLevel(15))
  for (const number of [-1, 16, 1.5, Number.NaN]) t.notOk(isLogLevel(number), String(number))
})

t.test('arguments of LogLevel are read or refused with the words of httpd', async (t) => {
  t.same(parseLevelWord('info'), { module: undefined, level: 6 })
  t.same(parseLevelWord('mod_authz_core.c:Trace3'), { module: 'mod_authz_core.c', level: 10 })
  t.same(parseLevelWord('core:core:debug'), { module: 'core:core', level: 7 })
  t.same(parseLevelWord(':debug'), { module: '', level: 7 })
  t.equal(parseLevelWord('loud'), KEYWORDS)
  t.equal(parseLevelWord('core:loud'), `core:loud: ${KEYWORDS}`)
  t.equal(parseLevelWord('authz_core:'), "Module specifier 'authz_core' must be followed by a log level keyword")
})

t.test('a message passes when it is severe enough, and a notice always does outside syslog', async (t) => {
  t.ok(passesThreshold(LEVELS.error, LEVELS.warn, 'file'))
  t.ok(passesThreshold(LEVELS.warn, LEVELS.warn, 'syslog'))
  t.notOk(passesThreshold(LEVELS.info, LEVELS.warn, 'file'))
  t.ok(passesThreshold(LEVELS.notice, LEVELS.emerg, 'file'))
  t.notOk(passesThreshold(LEVELS.notice, LEVELS.emerg, 'syslog'))
  t.ok(isWritten(withLevel(UNSET_LEVELS, LEVELS.emerg), 'core', LEVELS.notice, 'file'))
  t.notOk(enabled(withLevel(UNSET_LEVELS, LEVELS.emerg), 'core', LEVELS.notice))
})

t.test('a bare level forgets the module settings made before it', async (t) => {
  const late = withLevel(withModuleLevel(UNSET_LEVELS, 'authz_core', LEVELS.debug), LEVELS.error)
  t.notOk(enabled(late, 'authz_core', LEVELS.debug))
  const early = withModuleLevel(withLevel(UNSET_LEVELS, LEVELS.error), 'authz_core', LEVELS.debug)
  t.ok(enabled(early, 'authz_core', LEVELS.debug))
  t.notOk(enabled(early, 'core', LEVELS.warn))
})

t.test('settings are values: nothing changes those that were there', async (t) => {
  const before = withModuleLevel(DEFAULT_LEVELS, 'core', LEVELS.info)
  withModuleLevel(before, 'core', LEVELS.debug)
  withLevel(before, LEVELS.emerg)
  mergeLevels(before, withModuleLevel(UNSET_LEVELS, 'core', LEVELS.trace8))
  t.equal(before.modules.get('core'), LEVELS.info)
  t.equal(DEFAULT_LEVELS.modules.size, 0)
})

// The configuration and the lines that appeared were those of httpd 2.4.71.
t.test('virtual hosts and directories inherit as they do in httpd', async (t) => {
  const main = withModuleLevel(withLevel(UNSET_LEVELS, LEVELS.warn), 'authz_core', LEVELS.debug)
  const infoHost = mergeLevels(main, withLevel(UNSET_LEVELS, LEVELS.info))
  const coreHost = mergeLevels(main, withModuleLevel(UNSET_LEVELS, 'core', LEVELS.info))
  const errorHost = mergeLevels(main, withLevel(withModuleLevel(UNSET_LEVELS, 'authz_core', LEVELS.debug), LEVELS.error))
  const crit = withLevel(UNSET_LEVELS, LEVELS.crit)
  const coreInfo = withModuleLevel(UNSET_LEVELS, 'core', LEVELS.info)

  const rows: readonly (readonly [string, LevelSettings, boolean, boolean])[] = [
    ['main', mergeLevels(main, UNSET_LEVELS), true, false],
    ['directory with LogLevel crit', mergeLevels(main, crit), false, false],
    ['directory with core:info', mergeLevels(main, coreInfo), true, true],
    ['host with LogLevel info', infoHost, false, true],
    ['host with LogLevel info, directory with crit', mergeLevels(infoHost, crit), false, false],
    ['host with core:info', coreHost, true, true],
    ['host with authz_core:debug error', errorHost, false, false],
    ['that host, directory with core:info', mergeLevels(errorHost, coreInfo), false, true],
  ]
  for (const [name, settings, authzDebug, coreInfoShown] of rows) {
    t.equal(enabled(settings, 'authz_core', LEVELS.debug), authzDebug, `${name}: authz_core debug`)
    t.equal(enabled(settings, 'core', LEVELS.info), coreInfoShown, `${name}: core info`)
  }
})
