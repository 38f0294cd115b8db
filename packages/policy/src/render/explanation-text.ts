import { answeringServerText } from '../answering-server.ts'
import type { Access, Change, Explanation, Handling, HostRulesPart, SectionPart, Stage } from '../explanation.ts'
import { type PlaceText, placeTextBelow } from '../place-text.ts'
import { hasCredentialField } from '../shown-question.ts'
import type { Palette } from './palette.ts'
import { tlsLines } from './tls-lines.ts'
import { treeLines } from './tree-lines.ts'
import { visible } from './visible.ts'

/** Words of Allow and Deny that are shown before the rest is counted. */
const MOST_WORDS = 12

export interface TextOptions {
  readonly palette: Palette
  /** Paths below it are shown relative to it. */
  readonly folder: string
  /** `all` also shows every phase in which a module acted. */
  readonly phases?: 'all' | 'none'
}

/** An explanation for people: the answer first, then how it was reached, then how to interpret it. */
export function explanationText(reported: Explanation, { palette, folder, phases = 'none' }: TextOptions): string {
  const explanation = visible(reported)
  const writer = new Writer(palette, placeTextBelow(folder))
  return [
    ...writer.head(explanation),
    ...writer.route(explanation),
    ...explanation.stages.flatMap((stage) => writer.stage(stage)),
    ...writer.tail(explanation),
    ...(phases === 'all' ? writer.phases(explanation) : []),
    '',
  ].join('\n')
}

class Writer {
  readonly #palette: Palette
  readonly #placeText: PlaceText

  constructor(palette: Palette, placeText: PlaceText) {
    this.#palette = palette
    this.#placeText = placeText
  }

  head({ question, status, reason, access, rule, answeredBy, chosenBecause, tls, notes, headers }: Explanation): string[] {
    const palette = this.#palette
    const anonymous = hasCredentialField(question) ? 'with an Authorization field' : 'without credentials'
    const who = question.credentials === null ? anonymous : `as ${question.credentials.user}`
    return [
      `${palette.strong(`${question.method} ${question.target}`)} from ${question.client} ${who}: ${this.#access(access, `${status} ${reason}`)}`,
      rule.text,
      ...(answeredBy === null
        ? []
        : [
            `Answered by ${answeringServerText(answeredBy, this.#placeText)}${chosenBecause === '' ? '' : `: ${chosenBecause}`}.`,
          ]),
      ...tlsLines(tls, this.#placeText),
      ...notes.map((note) => palette.waiting(`Note: ${note}.`)),
      ...headers.map(([name, value]) => palette.faint(`${name}: ${value}`)),
    ]
  }

  /** What changed the request, and what generates the response. */
  route({ route, handling, fields }: Explanation): string[] {
    const palette = this.#palette
    return [
      ...this.#list(
        'What changed the request',
        route.map(({ line, place, effect, of }) => {
          const at = place === null ? '' : `  ${palette.faint(this.#placeText(place))}`
          const when = of === 'request' ? '' : of === 'redirect' ? 'then ' : 'for a look-up, '
          return `${when}${palette.strong(shortened(line))} ${effect}${at}`
        }),
      ),
      ...this.#list('The response', [
        ...(handling === null ? [] : [handlingText(handling)]),
        ...fields.map(([name, value]) => palette.faint(`${name}: ${value}`)),
      ]),
    ]
  }

  /** Every phase in which a module acted, with what it left behind. */
  phases({ phases }: Explanation): string[] {
    const width = Math.max(0, ...phases.map(({ phase }) => phase.length))
    return this.#list(
      'Phases in which a module acted',
      phases.map(({ phase, module, outcome, uri, filename, handler, of }) => {
        const result = outcome === 0 ? 'OK' : outcome === -2 ? 'DONE' : String(outcome)
        const state = [
          uri,
          ...(filename === '' || filename === uri ? [] : [`-> ${filename}`]),
          ...(handler === null ? [] : [`[${handler}]`]),
        ]
        return `${of === 'request' ? '' : `(${of}) `}${phase.padEnd(width)}  ${module}: ${result}  ${this.#palette.faint(state.join(' '))}`
      }),
    )
  }

  stage(stage: Stage): string[] {
    const palette = this.#palette
    const title = {
      request: 'The request',
      'sub-request': 'Checked on the way',
      redirect: 'Served instead',
    }[stage.kind]
    const name = stage.filename === null ? stage.uri : `${stage.uri} -> ${stage.filename}`
    const user = stage.user === null ? '' : `, user ${stage.user}`
    const first = stage.kind === 'request'
    if (stage.rule.name === 'decided before') return ['', `${palette.strong(`${title}: ${name}`)}  ${stage.rule.text}`]
    return [
      '',
      palette.strong(`${title}: ${name}${user}`),
      ...(first ? [] : [`  ${this.#access(stage.access, stage.access)}: ${stage.rule.text}`]),
      ...againText(stage),
      ...this.#conditions(stage),
      ...this.#sections(stage),
      ...this.#hostRules(stage),
      ...this.#require(stage),
    ]
  }

  tail({ asked, log, surprises, changes, access, tlsDemands }: Explanation): string[] {
    const palette = this.#palette
    return [
      ...this.#list(
        'Directives about TLS in these sections',
        tlsDemands.map(({ line, place }) => `${line}  ${palette.faint(this.#placeText(place))}`),
      ),
      ...this.#list(
        'What other servers know',
        asked.map(
          ({ of, question, answer }) =>
            `${palette.strong(of)}: ${question}  ${answer === null ? palette.waiting('not asked') : `-> ${answer}`}`,
        ),
      ),
      ...this.#list(
        'Error log',
        log.map(({ module, level, code, message, cause }) =>
          [`[${module}:${level}]`, cause === '' ? '' : `${cause}:`, code === '' ? '' : `${code}:`, message]
            .filter(Boolean)
            .join(' '),
        ),
      ),
      ...this.#list(
        'Mind',
        surprises.map(
          ({ text, places }) =>
            `${text}${places.length === 0 ? '' : palette.faint(`  (${places.map(this.#placeText).join(', ')})`)}`,
        ),
      ),
      ...this.#list(
        access === 'granted' ? 'What would close it' : 'What would open it',
        changes.map(
          (change) =>
            `${changeText(change)}: ${this.#access(change.access, String(change.status))}    ${palette.faint(`${change.curl}${fromThere(change)}`)}`,
        ),
      ),
    ]
  }

  #list(title: string, lines: readonly string[]): string[] {
    return lines.length === 0 ? [] : ['', this.#palette.strong(title), ...lines.map((line) => `  ${line}`)]
  }

  #conditions({ conditions }: Stage): string[] {
    return conditions.map(
      ({ title, place, holds }) =>
        `  ${title} ${holds ? 'holds' : 'does not hold'}  ${this.#palette.faint(this.#placeText(place))}`,
    )
  }

  #sections({ sections }: Stage): string[] {
    const telling = sections.filter(({ hostRules, require }) => hostRules !== null || require !== null)
    if (sections.length === 0) return []
    const lines = (telling.length > 0 ? telling : sections).map((section) => {
      const says = sectionSays(section)
      return `    ${section.title}${says === '' ? '' : `  ${says}`}  ${this.#palette.faint(this.#placeText(section.place))}`
    })
    const silent = telling.length > 0 ? sections.length - telling.length : 0
    const others = silent === 0 ? '' : ` (and ${silent} that ${silent === 1 ? 'says' : 'say'} nothing about access)`
    return [`  Sections, in the order in which they are merged${others}`, ...lines]
  }

  #hostRules({ sections }: Stage): string[] {
    const part = sections.findLast(({ hostRules }) => hostRules?.inForce === true)
    if (part === undefined || part.hostRules === null) return []
    const { hostRules } = part
    const palette = this.#palette
    const verdict = !hostRules.ruled
      ? palette.faint('nobody is denied')
      : hostRules.allowed
        ? palette.good('allowed')
        : palette.bad('refused')
    return [
      `  Order, Allow, Deny  ${verdict}  ${palette.faint(this.#placeText(part.place))}`,
      ...(hostRules.ruled ? [`    Order ${hostRules.order}`] : []),
      ...this.#words(hostRules),
      `    Satisfy ${hostRules.satisfy === 'unset' ? 'All (not set)' : hostRules.satisfy === 'any' ? 'Any' : 'All'}`,
    ]
  }

  #words({ words }: HostRulesPart): string[] {
    const palette = this.#palette
    const shown = words.filter(({ matches }, index) => matches || index < MOST_WORDS)
    const some = shown.slice(0, MOST_WORDS * 2)
    const rest = words.length - some.length
    return [
      ...some.map(
        ({ list, word, place, matches }) =>
          `    ${list} from ${word}  ${matches ? palette.strong('matches') : palette.faint('does not match')}  ${palette.faint(this.#placeText(place))}`,
      ),
      ...(rest > 0 ? [palette.faint(`    ... ${rest} more that do not match`)] : []),
    ]
  }

  #require({ answers }: Stage): string[] {
    return answers.flatMap(({ moment, tree, verdict }) => [
      `  Require, ${moment}`,
      ...(tree === null
        ? [`    ${verdict === 'error' ? 'no directive applies, but AuthType is set' : 'no directive applies: granted'}`]
        : treeLines(tree, this.#palette, this.#placeText, '    ')),
    ])
  }

  #access(access: Access, text: string): string {
    const palette = this.#palette
    return access === 'granted' ? palette.good(text) : access === 'challenged' ? palette.waiting(text) : palette.bad(text)
  }
}

function handlingText({ name, module, isRun }: Handling): string {
  if (!isRun) return `${name}: a program generates it, which an explanation does not start; its status and fields are not known`
  return `generated by ${name}${module === null ? '' : ` (${module})`}`
}

/** A line that is too long for a list. */
function shortened(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 4)} ...` : line
}

const LONGEST_LINE = 100

function sectionSays({ hostRules, require }: SectionPart): string {
  const parts = [
    ...(hostRules === null
      ? []
      : [`${hostRules.ruled ? 'Order, Allow, Deny' : 'Satisfy'}${hostRules.inForce ? '' : ' (replaced)'}`]),
    ...(require === null ? [] : [`Require${require.inForce ? '' : ` (not in force; alone: ${require.tree.verdict})`}`]),
  ]
  return parts.join('; ')
}

/** The command of a change has to run on the machine with the address. */
function fromThere({ client }: Change): string {
  return client === undefined || client === '127.0.0.1' || client === '::1' ? '' : '  (from there)'
}

function changeText({ client, user, method }: Change): string {
  return [
    ...(method === undefined ? [] : [`with ${method}`]),
    ...(client === undefined ? [] : [`from ${client}`]),
    ...(user === undefined ? [] : [user === null ? 'without credentials' : `as ${user}`]),
  ].join(' ')
}

function againText({ againBecauseOf }: Stage): string[] {
  if (againBecauseOf.length === 0) return []
  const verb = againBecauseOf.length === 1 ? 'decides' : 'decide'
  return [
    `  The sections are the same as before, but it was authorized again because ${listed(againBecauseOf)} ${verb} by request.`,
  ]
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
