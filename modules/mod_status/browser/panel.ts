import { Chart, type ChartOptions } from './chart.ts'
import { element } from './element.ts'
import { age, bytes, count, duration, percent, timeOfDay } from './format.ts'
import type { Sample } from './sample.ts'
import { linearScale, powerScale } from './scale.ts'
import type { Refusal, Status, WorkerFigures } from './status.ts'

const CHARTS: readonly ChartOptions[] = [
  {
    title: 'Requests per second',
    kind: 'stack',
    series: [
      { key: '2xx', label: '2xx', color: 'green' },
      { key: '3xx', label: '3xx', color: 'blue' },
      { key: '4xx', label: '4xx', color: 'amber' },
      { key: '5xx', label: '5xx', color: 'red' },
    ],
    scaleOf: (values) => linearScale(values, 1),
    format: count,
  },
  {
    title: 'Time to answer',
    kind: 'lines',
    series: [
      { key: 'p50', label: 'median', color: 'green' },
      { key: 'p90', label: '90 %', color: 'blue' },
      { key: 'p99', label: '99 %', color: 'purple' },
    ],
    scaleOf: (values) => powerScale(values, 0.0001, 0.1),
    format: duration,
  },
  {
    title: 'Connections',
    kind: 'stack',
    series: [
      { key: 'working', label: 'working', color: 'blue' },
      { key: 'reading', label: 'reading', color: 'green' },
      { key: 'writing', label: 'writing', color: 'amber' },
      { key: 'keepAlive', label: 'kept alive', color: 'grey' },
      { key: 'closing', label: 'closing', color: 'purple' },
    ],
    scaleOf: (values) => linearScale(values, 4),
    format: count,
  },
  {
    title: 'Access decisions per second',
    kind: 'stack',
    series: [
      { key: 'granted', label: 'granted', color: 'green' },
      { key: 'challenged', label: 'challenged', color: 'amber' },
      { key: 'denied', label: 'denied', color: 'red' },
      { key: 'failed', label: 'failed', color: 'purple' },
    ],
    scaleOf: (values) => linearScale(values, 1),
    format: count,
  },
]

interface Tile {
  readonly value: HTMLElement
  readonly more: HTMLElement
}

/** Rows in the table of figures. */
const FIGURES = 15

/** The live part of the page: figures, charts, workers and refusals. */
export class Panel {
  readonly element: HTMLElement
  readonly #charts = CHARTS.map((options) => new Chart(options))
  readonly #period: number
  readonly #state = element('span', { role: 'status' })
  readonly #life = element('span')
  readonly #button = element('button', { type: 'button' }, 'Pause')
  readonly #tiles = new Map<string, Tile>()
  readonly #workers = element('tbody')
  readonly #decisions = element('tbody')
  readonly #figures = element('tbody')

  /**
   * @param period milliseconds between two requests
   * @param onPause called when the button is pressed, which pauses or resumes the updates
   */
  constructor({ period, onPause }: { readonly period: number; readonly onPause: () => void }) {
    this.#period = period
    this.#button.addEventListener('click', onPause)
    const columns = CHARTS.flatMap(({ series }) => series)
    this.element = element(
      'section',
      { class: 'live', 'aria-label': 'Live figures' },
      element('p', { class: 'state' }, this.#state, this.#life, this.#button),
      element(
        'dl',
        { class: 'tiles' },
        ...['Requests/s', 'Sent/s', 'Median', '99 %', 'In work', 'Connections', 'Processor', 'Memory'].map((name) =>
          this.#tile(name),
        ),
      ),
      element('div', { class: 'charts' }, ...this.#charts.map((chart) => chart.element)),
      element('div', { class: 'tables' }, workerTable(this.#workers), decisionTable(this.#decisions)),
      element(
        'details',
        {},
        element('summary', {}, 'The charts as a table'),
        scrolling(
          element('table', {}, element('thead', {}, row('th', ['Time', ...columns.map(({ label }) => label)])), this.#figures),
          'The charts as a table',
        ),
      ),
    )
    this.running()
  }

  show(status: Status, samples: readonly Sample[]): void {
    const latest = samples.at(-1)
    for (const chart of this.#charts) chart.draw(samples)
    this.#set('Requests/s', latest === undefined ? '–' : count(latest.requests), `${count(status.requests.total)} in all`)
    this.#set('Sent/s', latest === undefined ? '–' : bytes(latest.bytes), `${bytes(status.requests.bytes)} in all`)
    this.#set('Median', latest === undefined ? '–' : duration(latest.p50), 'time to answer')
    this.#set('99 %', latest === undefined ? '–' : duration(latest.p99), 'time to answer')
    this.#set('In work', String(status.requests.inWork), `of ${status.places.max} places`)
    this.#set('Connections', String(status.connections.open), `${status.connections.keepAlive} kept alive`)
    this.#set('Processor', latest === undefined ? '–' : percent(latest.cpu), `load ${status.server.load[0].toFixed(2)}`)
    const memory = status.workers.reduce((sum, { residentMemory }) => sum + residentMemory, 0)
    this.#set('Memory', bytes(memory), `${status.workers.length} workers`)
    this.#life.textContent = `Generation ${status.server.generation}, up ${age(status.server.uptime)}`
    this.#workers.replaceChildren(...status.workers.map(workerRow))
    this.#decisions.replaceChildren(...decisionRows(status.access))
    const latestFirst = samples.slice(-FIGURES).reverse()
    this.#figures.replaceChildren(...latestFirst.map((sample) => row('td', [timeOfDay(sample.time), ...figuresOf(sample)])))
  }

  running(): void {
    this.#say(`Live, every ${this.#period / 1000} seconds`, 'Pause')
  }

  paused(): void {
    this.#say('Paused', 'Resume')
  }

  failed(reason: string): void {
    this.#say(`No new figures: ${reason}`, 'Pause')
    this.element.classList.add('stale')
  }

  #say(state: string, action: string): void {
    this.element.classList.remove('stale')
    // Set only if it changes, because a screen reader announces each change.
    if (this.#state.textContent !== state) this.#state.textContent = state
    if (this.#button.textContent !== action) this.#button.textContent = action
  }

  #tile(name: string): HTMLElement {
    const value = element('b', {}, '–')
    const more = element('small', {}, '')
    this.#tiles.set(name, { value, more })
    return element('div', {}, element('dt', {}, name), element('dd', {}, value, more))
  }

  #set(name: string, value: string, more: string): void {
    const tile = this.#tiles.get(name)
    if (tile === undefined) return
    tile.value.textContent = value
    tile.more.textContent = more
  }
}

function figuresOf(sample: Sample): readonly string[] {
  return CHARTS.flatMap(({ series, format }) =>
    series.map(({ key }) => {
      const value = sample[key]
      return value === null ? '–' : format(value)
    }),
  )
}

function workerTable(body: HTMLElement): HTMLElement {
  const names = ['Worker', 'PID', 'Generation', 'Requests', 'In work', 'Connections', 'CPU time', 'Memory', 'Loop delay']
  return scrolling(
    element('table', {}, element('caption', {}, 'Workers'), element('thead', {}, row('th', names)), body),
    'Workers',
  )
}

function workerRow(worker: WorkerFigures): HTMLElement {
  const cells = [
    String(worker.slot),
    String(worker.pid),
    `${worker.generation}${worker.stopping ? ' (ending)' : ''}`,
    String(worker.requests),
    String(worker.inWork),
    String(worker.connections),
    duration(worker.cpu),
    bytes(worker.residentMemory),
    duration(worker.loopDelay.p99),
  ]
  return row('td', cells)
}

function decisionTable(body: HTMLElement): HTMLElement {
  const names = ['Outcome', 'Rule', 'Message', 'Requests']
  return scrolling(
    element(
      'table',
      {},
      element('caption', {}, 'Access decisions since the start'),
      element('thead', {}, row('th', names)),
      body,
    ),
    'Access decisions since the start',
  )
}

function decisionRows({ granted, refusals }: Status['access']): readonly HTMLElement[] {
  const mostFirst = [...refusals].sort((a, b) => b.count - a.count)
  return [
    row('td', ['granted', '–', '–', String(granted)]),
    ...mostFirst.map((refusal) => {
      const { outcome, module, code } = refusal
      return row('td', [outcome, ruleText(refusal), code === '' ? '–' : `${module}:${code}`, String(refusal.count)])
    }),
  ]
}

/** The rule of a refusal. A client without credentials is challenged without a rule or a log message. */
function ruleText({ outcome, rule, code }: Refusal): string {
  if (rule !== '') return rule
  return outcome === 'challenged' && code === '' ? 'no credentials' : '–'
}

/** A table that can be scrolled if it is too wide, also with the keyboard. */
function scrolling(table: HTMLElement, label: string): HTMLElement {
  return element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, table)
}

function row(cell: 'th' | 'td', texts: readonly string[]): HTMLElement {
  return element('tr', {}, ...texts.map((text) => element(cell, cell === 'th' ? { scope: 'col' } : {}, text)))
}
