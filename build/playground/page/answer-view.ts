import type { AnswerShown, PartMessage, RefusalShown } from '../engine/messages.ts'
import { byId, element } from './element.ts'
import { type Places, placeButton, shownText } from './shown-text.ts'

type Found = Extract<PartMessage, { readonly part: 'findings' }>['findings'][number]
type Migration = Extract<PartMessage, { readonly part: 'migration' }>['migration']

/** What the engine says about the case. */
export class AnswerView {
  readonly #answer = byId('answer', HTMLElement)
  readonly #verdict = byId('verdict', HTMLDivElement)
  readonly #explanation = byId('explanation', HTMLElement)
  readonly #tree = byId('tree', HTMLPreElement)
  readonly #json = byId('json', HTMLPreElement)
  readonly #findings = byId('findings', HTMLElement)
  readonly #found = byId('found', HTMLDivElement)
  readonly #migration = byId('migration', HTMLElement)
  readonly #migrated = byId('migrated', HTMLDivElement)
  readonly #timing = byId('timing', HTMLParagraphElement)
  readonly #places: Places

  constructor(places: Places) {
    this.#places = places
  }

  wait(): void {
    this.#answer.setAttribute('aria-busy', 'true')
  }

  answer({ status, reason, access, rule, fields, text, json }: AnswerShown, ms: number): void {
    const isAnswered = access === 'not reached' && status < 400
    const card = element('div', { class: `card ${isAnswered ? 'granted' : access}` })
    card.append(element('p', { class: 'status' }, `${status} ${reason}`), element('p', {}, rule))
    for (const [name, value] of fields) card.append(element('p', {}, element('code', {}, `${name}: ${value}`)))
    this.#tell(card, ms)
    this.#tree.replaceChildren(...shownText(text.trimEnd(), this.#places))
    this.#json.textContent = json
    this.#explanation.hidden = false
  }

  refusal({ file, line, message, hint }: RefusalShown, ms: number): void {
    const card = element('div', { class: 'card error' })
    card.append(element('p', { class: 'status' }, file === '' ? 'No such request' : 'The server would not start'))
    card.append(element('p', {}, message))
    if (hint !== null) card.append(element('p', { class: 'note' }, hint))
    if (line > 0) card.append(element('p', {}, this.#place(file, line)))
    this.#tell(card, ms)
    this.#explanation.hidden = true
  }

  failure(message: string): void {
    const card = element(
      'div',
      { class: 'card error' },
      element('p', { class: 'status' }, 'No answer'),
      element('p', {}, message),
    )
    this.#verdict.replaceChildren(card)
    this.#answer.setAttribute('aria-busy', 'false')
    for (const section of [this.#explanation, this.#findings, this.#migration]) section.hidden = true
  }

  /** Mistakes of lines, and findings of lint. */
  findings(troubles: readonly Found[], findings: readonly Found[], failure: string | null): void {
    const cards = [...troubles, ...findings].map(({ file, line, severity, message, hint, rule }) => {
      const sort = rule === null ? severity : `${severity} ${rule}`
      const card = element('div', { class: `card ${severity}` })
      card.append(element('p', {}, element('span', { class: 'sort' }, sort), ': ', message))
      if (hint !== null && hint !== '') card.append(element('p', { class: 'note' }, hint))
      card.append(element('p', {}, this.#place(file, line)))
      return card
    })
    if (failure !== null)
      cards.push(element('div', { class: 'card' }, element('p', {}, `gatewright lint could not finish: ${failure}`)))
    const nothing = element('div', { class: 'card fine' }, element('p', {}, 'gatewright lint finds nothing in these files.'))
    this.#found.replaceChildren(...(cards.length === 0 ? [nothing] : cards))
    this.#findings.hidden = false
  }

  migration(migration: Migration, failure: string | null, take: (path: string, text: string) => void): void {
    const isNothing = migration === null || migration.files.length + migration.left.length === 0
    this.#migration.hidden = isNothing && failure === null
    if (failure !== null)
      this.#migrated.replaceChildren(element('p', { class: 'note' }, `These rules cannot be rewritten: ${failure}`))
    if (migration === null || isNothing) return
    const parts: Node[] = migration.files.flatMap(({ path, after, diff }) => {
      const copy = element('button', { type: 'button' }, 'Take this text')
      copy.addEventListener('click', () => take(path, after))
      const lines = diff
        .trimEnd()
        .split('\n')
        .slice(2)
        .map((line) => element('span', { class: KINDS[line[0] ?? ''] ?? '' }, `${line}\n`))
      const label = `Changes of ${path}`
      return [
        element('div', { class: 'file-head' }, element('code', {}, path), copy),
        element('pre', { class: 'diff', tabindex: '0', role: 'group', 'aria-label': label }, ...lines),
      ]
    })
    if (parts.length === 0)
      parts.push(element('p', { class: 'note' }, 'Nothing can be rewritten without a change of what is answered.'))
    for (const { file, line, text } of migration.left)
      parts.push(element('p', { class: 'note' }, 'Left as it is: ', text, ' ', this.#place(file, line)))
    this.#migrated.replaceChildren(...parts)
  }

  #tell(card: HTMLElement, ms: number): void {
    this.#verdict.replaceChildren(card)
    this.#answer.setAttribute('aria-busy', 'false')
    this.#timing.textContent = `Answered in ${Math.max(1, Math.round(ms))} ms.`
    this.#timing.dataset.ms = String(ms)
  }

  #place(file: string, line: number): Node {
    const shown = line > 0 ? `${file}:${line}` : file
    const path = this.#places.find(file)
    return path === null ? element('code', {}, shown) : placeButton(shown, path, Math.max(line, 1), this.#places)
  }
}

const KINDS: Readonly<Record<string, string>> = { '+': 'plus', '-': 'minus', '@': 'faint' }
