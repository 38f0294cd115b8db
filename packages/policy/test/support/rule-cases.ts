import type { Test } from 'tap'
import { lint, RULES } from '../../src/index.ts'
import { type LintSite, openSite } from './lint-site.ts'

/** A small configuration, and what the case is about. */
export interface RuleCase extends LintSite {
  /** The text after "finds" or "leaves alone". */
  readonly about: string
}

export interface RuleCases {
  readonly id: string
  /** `at` is the place: `httpd.conf:3`, or the name of a .htaccess file and its line. */
  readonly finds: readonly (RuleCase & {
    readonly at: string
    readonly message?: RegExp
    readonly hint?: RegExp
    readonly target?: string
  })[]
  readonly leaves: readonly RuleCase[]
}

/**
 * Tests a rule with configurations that contain the mistake and others that do not; each request of a finding
 * is decided again.
 */
export function testRule(t: Test, { id, finds, leaves }: RuleCases): void {
  const rule = RULES.find((one) => one.id === id)
  if (rule === undefined) throw new Error(`no rule ${id}`)
  for (const { about, at, message, hint, target, ...site } of finds)
    t.test(`${id} finds ${about}`, async (t) => {
      const { root, server } = await openSite(t, site)
      const findings = await lint(server, { rules: [rule] })
      t.strictSame(
        findings.map(({ file, line }) => `${file.replace(`${root}/`, '').replace('docs/', '')}:${line}`),
        [at],
      )
      const [finding] = findings
      if (message !== undefined) t.match(finding.message, message)
      if (hint !== undefined) t.match(finding.hint, hint)
      t.match(finding.hint, new RegExp(`${id}\\.md`))
      t.equal(finding.request !== undefined, rule.isConfirmed, 'a request is shown where the page says so')
      if (finding.request === undefined) return
      if (target !== undefined) t.equal(finding.request.question.target, target)
      t.equal((await server.ask(finding.request.question)).response.status, finding.request.status, 'it is decided as shown')
    })
  for (const { about, ...site } of leaves)
    t.test(`${id} leaves alone ${about}`, async (t) => {
      const { server } = await openSite(t, site)
      t.strictSame(await lint(server, { rules: [rule] }), [])
    })
}
