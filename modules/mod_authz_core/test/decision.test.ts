import { type AuthzCheck, type AuthzStatus, M_POST, type MaybePromise, MethodSet } from '@gatewright/api'
import { servedRequest } from '@gatewright/testing'
import t from 'tap'
import { evaluate } from '../src/decision/evaluate.ts'
import { type DecisionNode, Group, RequireTerm, type Rule } from '../src/decision/node.ts'
import type { Tracer } from '../src/decision/tracer.ts'

const GET = await servedRequest()
const HEAD = await servedRequest({ method: 'HEAD', target: '/' })
const POST = await servedRequest({ method: 'POST', target: '/' })

const place = {
  file: 'httpd.conf',
  line: 3,
  section: { kind: 'Directory', title: '', argument: '', file: '', line: 1, parent: null, server: GET.server, rank: [0] },
} as const

function term(check: AuthzCheck, options: { negated?: boolean; methods?: MethodSet; name?: string } = {}): RequireTerm {
  const { negated = false, methods = MethodSet.ALL, name = 'test' } = options
  return new RequireTerm({ negated, provider: name, argument: '', methods, check, source: null, hostOnly: false, place })
}

function group(rule: Rule, negated: boolean, ...children: DecisionNode[]): Group {
  const made = new Group({ rule, negated, place })
  for (const child of children) made.add(child)
  return made
}

/** The letters of the tables: granted, denied, needs a user, limited to other methods. */
const LETTERS: Readonly<Record<string, () => RequireTerm>> = {
  G: () => term(() => 'granted'),
  D: () => term(() => 'denied'),
  U: () => term(() => 'denied-no-user'),
  M: () => term(() => 'general-error', { methods: MethodSet.of(M_POST) }),
}
const SHORT: Readonly<Record<AuthzStatus, string>> = {
  granted: 'G',
  denied: 'D',
  'denied-no-user': 'U',
  neutral: 'N',
  'general-error': 'E',
}

/**
 * Rows are the first child, columns the second. M alone among methods of others is combined with a third
 * child that never matters.
 */
function table(wrap: (children: DecisionNode[]) => DecisionNode): Record<string, string> {
  const rows: Record<string, string> = {}
  for (const first of 'GDUM') {
    rows[first] = ''
    for (const second of 'GDUM') {
      const status = evaluate(wrap([LETTERS[first](), LETTERS[second]()]), GET, null)
      rows[first] += typeof status === 'string' ? SHORT[status] : '?'
    }
  }
  return rows
}

t.test('RequireAll combines two children according to the table', async (t) => {
  // If both children are limited to other methods, so is the container, which counts as a child of an
  // `all`.
  t.same(
    table((children) => group('all', false, ...children)),
    { G: 'GDUG', D: 'DDDD', U: 'UDUU', M: 'GDUG' },
  )
})

t.test('RequireAny combines two children according to the table', async (t) => {
  t.same(
    table((children) => group('any', false, ...children)),
    { G: 'GGGG', D: 'GDUD', U: 'GUUU', M: 'GDUG' },
  )
})

t.test('a RequireNone next to a grant in a RequireAll vetoes exactly when a child is granted', async (t) => {
  const rows = table((children) => group('all', false, LETTERS.G(), group('any', true, ...children)))
  t.same(rows, { G: 'DDDD', D: 'DGGG', U: 'DGGG', M: 'DGGG' })
})

t.test('a RequireAny with nothing but foreign methods in a RequireAny is neutral', async (t) => {
  const inner = group('any', false, LETTERS.M(), LETTERS.M())
  t.equal(evaluate(group('any', false, inner, LETTERS.D()), GET, null), 'denied')
  const within = group('any', false, LETTERS.D(), group('all', true, LETTERS.G()))
  t.equal(evaluate(within, GET, null), 'denied')
})

t.test('a negation turns a grant into a denial and everything else into neutral', async (t) => {
  const rows: [AuthzStatus, AuthzStatus][] = [
    ['granted', 'denied'],
    ['denied', 'neutral'],
    ['denied-no-user', 'neutral'],
    ['neutral', 'neutral'],
    ['general-error', 'general-error'],
  ]
  for (const [status, negated] of rows)
    t.equal(
      evaluate(
        term(() => status, { negated: true }),
        GET,
        null,
      ),
      negated,
    )
})

t.test('evaluation stops at the first denial of an all and at the first grant of an any', async (t) => {
  const never = term(() => {
    throw new Error('called after the stop')
  })
  t.equal(evaluate(group('all', false, LETTERS.U(), LETTERS.D(), never), GET, null), 'denied')
  t.equal(evaluate(group('any', false, LETTERS.D(), LETTERS.G(), never), GET, null), 'granted')
})

t.test('a general error before the stop ends the evaluation, one after it is never seen', async (t) => {
  const failing = term(() => 'general-error')
  t.equal(evaluate(group('any', false, failing, LETTERS.G()), GET, null), 'general-error')
  t.equal(evaluate(group('any', false, LETTERS.G(), failing), GET, null), 'granted')
  t.equal(evaluate(group('all', false, group('any', true, failing), LETTERS.G()), GET, null), 'general-error')
})

t.test('an unknown result of a check is an error that names the line, also under a negation', async (t) => {
  // A module written in plain JavaScript can return anything.
  const strange = (): AuthzStatus => JSON.parse('"yes"')
  const error = {
    message: /^the check of 'Require (not )?test' \(httpd\.conf:3\) returned yes, which is not an authorization status$/,
  }
  t.throws(() => evaluate(term(strange), GET, null), error)
  t.throws(() => evaluate(term(strange, { negated: true }), GET, null), error)
})

t.test('a root without children for the method grants, whatever it contains', async (t) => {
  const root = group(
    'any',
    false,
    term(() => 'denied', { methods: MethodSet.of(M_POST) }),
  )
  t.equal(evaluate(root, GET, null), 'granted')
  t.equal(evaluate(root, HEAD, null), 'granted')
  t.equal(evaluate(root, POST, null), 'denied')
})

t.test('checks that wait give the same value as checks that do not', async (t) => {
  const waiting: Readonly<Record<string, () => RequireTerm>> = {
    ...LETTERS,
    G: () => term(async (): Promise<AuthzStatus> => 'granted'),
    D: () => term(async (): Promise<AuthzStatus> => 'denied'),
    U: () => term(async (): Promise<AuthzStatus> => 'denied-no-user'),
  }
  for (const rule of ['all', 'any'] as const) {
    for (const letters of ['GDU', 'UGG', 'DUG', 'DDU', 'MUG', 'GGM']) {
      const build = (table: Readonly<Record<string, () => RequireTerm>>): Group =>
        group('all', false, group(rule, rule === 'any', ...[...letters].map((letter) => table[letter]())), LETTERS.G())
      const now: MaybePromise<AuthzStatus> = evaluate(build(LETTERS), GET, null)
      t.type(now, 'string', 'nothing waits when no check does')
      t.equal(await evaluate(build(waiting), GET, null), now, `${rule} ${letters}`)
    }
  }
})

t.test('a check that rejects rejects the decision', async (t) => {
  const failing = term(async () => {
    throw new Error('lookup failed')
  })
  await t.rejects(Promise.resolve(evaluate(group('any', false, LETTERS.D(), failing), GET, null)), {
    message: 'lookup failed',
  })
})

t.test('a tracer sees children before their container, and the reason why a node is skipped', async (t) => {
  const seen: string[] = []
  const tracer: Tracer = {
    evaluated: (_request, node, status) =>
      void seen.push(`${node.title.trim()}: ${status} @${node.place.file}:${node.place.line}`),
    limited: (_request, node, status) => void seen.push(`${node.title.trim()}: limited ${status}`),
  }
  const tree = group(
    'any',
    false,
    group(
      'all',
      false,
      term(() => 'granted', { name: 'a' }),
      LETTERS.M(),
      term(async (): Promise<AuthzStatus> => 'denied', { name: 'b', negated: true }),
    ),
    term(() => 'granted', { name: 'c' }),
  )
  t.equal(await evaluate(tree, GET, tracer), 'granted')
  t.same(seen, [
    'Require a: granted @httpd.conf:3',
    'Require test: limited granted',
    'Require not b: neutral @httpd.conf:3',
    '<RequireAll>: granted @httpd.conf:3',
    '<RequireAny>: granted @httpd.conf:3',
  ])
})
