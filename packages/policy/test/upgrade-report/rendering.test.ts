import t from 'tap'
import {
  COLOURS,
  NO_COLOURS,
  type UpgradeFinding,
  type UpgradeReport,
  upgradeReportHtml,
  upgradeReportJson,
  upgradeReportText,
} from '../../src/index.ts'

const FINDING: UpgradeFinding = {
  kind: 'directive',
  weight: 'must',
  place: { file: '/etc/x.conf', line: 3 },
  subject: 'LockFile x',
  text: 'LockFile is gone',
  instead: [],
  by: 'migrate',
}

const REPORT: UpgradeReport = {
  form: 1,
  subject: '/etc/x.conf',
  origin: { line: '2.2', evidence: { file: '/etc/x.conf', line: 3, text: 'LockFile x' } },
  verdict: 'needs work',
  missing: [],
  counts: { must: 1, look: 0, know: 1 },
  compat: { now: true, afterMigration: false },
  steps: [{ text: 'Load it', command: 'httpd -t' }],
  findings: [FINDING, { ...FINDING, kind: 'default', weight: 'know', subject: 'FileETag', instead: ['FileETag None'], by: null }],
  files: ['/etc/x.conf'],
  unread: [],
}

t.test('the text has a summary at the top, the order of work, and a chapter for each kind', async (t) => {
  const lines = upgradeReportText(REPORT, NO_COLOURS).split('\n')
  t.strictSame(lines.slice(0, 8), [
    '/etc/x.conf',
    'Needs work: 1 item must change.',
    'Written for 2.2 (/etc/x.conf:3: LockFile x).',
    'mod_access_compat is needed now, but no longer after gatewright migrate.',
    '',
    'Order of work',
    '  1. Load it',
    '     httpd -t',
  ])
  t.ok(lines.includes('Directives (1)'))
  t.ok(lines.includes('  must change  /etc/x.conf:3: LockFile x'))
  t.ok(lines.includes('                - the line is removed'))
  t.ok(lines.includes('                + FileETag None'))
  t.ok(lines.includes('  No LoadModule lines.'))
})

t.test('colours are for terminals only', async (t) => {
  t.notMatch(upgradeReportText(REPORT, NO_COLOURS), '\u001b')
  t.match(upgradeReportText(REPORT, COLOURS), '\u001b[31mmust change')
})

t.test('a configuration that is ready is reported as such', async (t) => {
  const ready: UpgradeReport = {
    ...REPORT,
    verdict: 'ready',
    counts: { must: 0, look: 0, know: 0 },
    compat: { now: false, afterMigration: false },
    steps: [],
    findings: [],
  }
  t.match(upgradeReportText(ready, NO_COLOURS), 'Ready for 2.4: no changes are necessary.')
  t.match(upgradeReportHtml(ready), '<div class="verdict ready">')
  t.notMatch(upgradeReportHtml(ready), 'Order of work')
})

t.test('text of a configuration cannot control a terminal', async (t) => {
  const hostile = { ...REPORT, findings: [{ ...FINDING, subject: 'Foo \u001b[2J\r\u0007' }] }
  t.match(upgradeReportText(hostile, NO_COLOURS), 'Foo \\x1b[2J\\x0d\\x07')
  t.notMatch(upgradeReportText(hostile, NO_COLOURS), /[\x00-\x09\x0b-\x1f]/)
})

t.test('bytes that are UTF-8 are read as such, and others as Latin-1', async (t) => {
  const named = (subject: string): UpgradeReport => ({ ...REPORT, findings: [{ ...FINDING, subject }] })
  for (const subject of [Buffer.from('Größe').toString('latin1'), 'Gr\xf6\xdfe']) {
    t.match(upgradeReportText(named(subject), NO_COLOURS), 'Größe')
    t.match(upgradeReportHtml(named(subject)), 'Größe')
    t.strictSame(JSON.parse(upgradeReportJson(named(subject))), named(subject), 'one character for each byte')
  }
})

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</style><script>x</script>',
  '</title><h1>',
  '<!--',
  "' onmouseover='x",
  '&lt;b&gt;',
  'javascript:alert(1)',
]

t.test('no text of a configuration becomes markup, in any position', async (t) => {
  const plain = tags(upgradeReportHtml(reportWith('harmless')))
  for (const text of HOSTILE) {
    const page = upgradeReportHtml(reportWith(text))
    t.strictSame(tags(page), plain, text)
    t.notMatch(page, /&lt;b&gt;(?!amp)/.test(text) ? '>&lt;b&gt;' : '\u0000')
  }
})

/** A report with the same text wherever text of others may occur. */
function reportWith(text: string): UpgradeReport {
  const place = { file: text, line: 1 }
  const finding = { ...FINDING, place, subject: text, text, instead: [text] }
  return {
    ...REPORT,
    subject: text,
    origin: { line: '2.2', evidence: { ...place, text } },
    steps: [{ text, command: text }],
    findings: [finding, { ...finding, weight: 'know' }, { ...finding, instead: [] }, { ...finding, kind: 'option' }],
    files: [text],
    unread: [text],
  }
}

/** The markup of a page, without its text. */
function tags(page: string): readonly string[] {
  return page.match(/<[^>]*>?/g) ?? []
}

t.test('the page needs nothing else, and may run nothing', async (t) => {
  const page = upgradeReportHtml(REPORT)
  t.notMatch(page, /<(?:script|link|img|iframe|object|form)\b|\bon\w+=|url\(|@import|https?:/i)
  t.match(page, `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`)
  t.match(page, /<html lang="en">[\s\S]*<meta name="viewport"/)
})

t.test('modules that this server does not provide are named before everything else', async (t) => {
  const text = upgradeReportText({ ...REPORT, missing: ['mod_cgid', 'mod_dav'] }, NO_COLOURS)
  t.equal(text.split('\n')[1], 'Not yet: this server does not provide mod_cgid, mod_dav. Needs work: 1 item must change.')
})
