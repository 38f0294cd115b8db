import { type AuthzCheck, type AuthzProvider, type AuthzStatus, M_POST, MethodSet } from '@gatewright/api'
import { servedRequest } from '@gatewright/testing'
import t from 'tap'
import { evaluate } from '../src/decision/evaluate.ts'
import { joinedChildren } from '../src/decision/join.ts'
import { type DecisionNode, Group, RequireTerm, type Rule } from '../src/decision/node.ts'
import { tidied } from '../src/decision/tidy.ts'
import type { Tracer } from '../src/decision/tracer.ts'

const GET = await servedRequest()

const place = {
  file: 'httpd.conf',
  line: 3,
  section: { kind: 'Directory', title: '', argument: '', file: '', line: 1, parent: null, server: GET.server, rank: [0] },
} as const

/** Joins its checks, and counts how often any of them is called. */
class Joining implements AuthzProvider {
  asked = 0

  parse(): string {
    return 'not used'
  }

  check(status: 'granted' | 'denied'): AuthzCheck {
    return () => {
      this.asked++
      return status
    }
  }

  anyOf(checks: readonly AuthzCheck[]): AuthzCheck {
    return (request) => {
      const asked = this.asked
      const granted = checks.some((check) => check(request) === 'granted')
      this.asked = asked + 1
      return granted ? 'granted' : 'denied'
    }
  }
}

const plain: AuthzProvider = { parse: () => 'not used' }

function line(source: AuthzProvider, check: AuthzCheck, negated = false, methods = MethodSet.ALL): RequireTerm {
  return new RequireTerm({ negated, provider: 'x', argument: '', methods, check, source, hostOnly: true, place })
}

function root(rule: Rule, ...children: DecisionNode[]): Group {
  const made = new Group({ rule, negated: false, place })
  for (const child of children) made.add(child)
  const tidy = tidied(made)
  if ('onlyNegative' in tidy) throw new Error('only negative')
  return tidy
}

const WATCHED: Tracer = { evaluated: () => undefined, limited: () => undefined }

t.test('neighbours that one check can evaluate cause one call', async (t) => {
  const provider = new Joining()
  const lines = Array.from({ length: 100 }, () => line(provider, provider.check('denied')))
  t.equal(evaluate(root('any', ...lines), GET, null), 'denied')
  t.equal(provider.asked, 1)
})

t.test(
  'a tree that was not prepared at start, such as that of a .htaccess file, is joined when it is first evaluated',
  async (t) => {
    const provider = new Joining()
    const tree = new Group({ rule: 'any', negated: false, place })
    for (let count = 0; count < 100; count++) tree.add(line(provider, provider.check('denied')))
    t.equal(evaluate(tree, GET, null), 'denied')
    t.equal(provider.asked, 1)
    t.equal(joinedChildren(tree), joinedChildren(tree), 'once for all requests')
    tree.add(line(provider, provider.check('granted')))
    t.equal(evaluate(tree, GET, null), 'granted', 'a line that is added later counts')
  },
)

t.test('a trail still shows every line', async (t) => {
  const provider = new Joining()
  const titles: string[] = []
  const watching: Tracer = { evaluated: (_request, node) => titles.push(node.kind), limited: () => undefined }
  evaluate(root('any', line(provider, provider.check('denied')), line(provider, provider.check('denied'))), GET, watching)
  t.strictSame(titles, ['require', 'require', 'group'])
  t.equal(provider.asked, 2)
})

t.test('lines of other methods, other providers and groups are not joined with their neighbours', async (t) => {
  const [one, other] = [new Joining(), new Joining()]
  const lines = [
    line(one, one.check('denied')),
    line(other, other.check('denied')),
    line(one, one.check('denied')),
    line(plain, () => 'denied'),
    line(one, one.check('denied')),
    line(one, one.check('denied'), false, MethodSet.of(M_POST)),
  ]
  t.equal(joinedChildren(root('any', ...lines)).length, 6)
})

t.test('a container has the same value joined and line by line', async (t) => {
  let seed = 7
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const values = new Set<AuthzStatus>()
  const differing: number[] = []
  let joined = 0
  for (let round = 0; round < 3000; round++) {
    const rule: Rule = random(2) === 0 ? 'any' : 'all'
    const providers = [new Joining(), plain]
    const children = Array.from({ length: 1 + random(6) }, () => {
      const provider = providers[random(3) === 0 ? 1 : 0]
      const status = random(3) === 0 ? 'granted' : 'denied'
      const check: AuthzCheck = provider instanceof Joining ? provider.check(status) : () => status
      return line(provider, check, rule === 'all' && random(2) === 0, random(4) === 0 ? MethodSet.of(M_POST) : MethodSet.ALL)
    })
    if (children.every(({ negated }) => negated)) continue
    const tree = root(rule, ...children)
    if (joinedChildren(tree) !== tree.children) joined++
    const value = evaluate(tree, GET, null)
    if (value !== evaluate(tree, GET, WATCHED)) differing.push(round)
    if (typeof value === 'string') values.add(value)
  }
  t.strictSame(differing, [])
  t.ok(joined > 500, `${joined} of them were joined`)
  t.ok(values.has('granted') && values.has('denied'))
})
