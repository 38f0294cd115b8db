// Updates the status page: requests `?json` regularly and draws charts. Without this script the page is
// httpd's.
import { History } from './history.ts'
import { Panel } from './panel.ts'
import { sampleBetween } from './sample.ts'
import type { Status } from './status.ts'

/** Milliseconds between two requests. The first one is sent sooner, because rates require two samples. */
const PERIOD = 2000
const FIRST_PERIOD = 1000

const first: Status | null = JSON.parse(document.getElementById('status-json')?.textContent ?? 'null')
if (first !== null) whenHeadingExists((heading) => live(heading, first))
document.documentElement.lang = 'en'
document.addEventListener('DOMContentLoaded', () => scrollWithKeys(document.querySelectorAll('body > table, body > pre')))

/** Lets the keyboard scroll what is wider than the page. The markup is httpd's, which other programs read. */
function scrollWithKeys(elements: NodeListOf<HTMLElement>): void {
  const update = (): void => {
    for (const one of elements)
      if (one.scrollWidth > one.clientWidth) one.tabIndex = 0
      else one.removeAttribute('tabindex')
  }
  update()
  addEventListener('resize', update)
}

/** Waits for the heading, so that the panel is inserted before anything below it is painted. */
function whenHeadingExists(act: (heading: HTMLHeadingElement) => void): void {
  const observer = new MutationObserver(() => {
    const heading = document.querySelector('h1')
    if (heading === null) return
    observer.disconnect()
    act(heading)
  })
  observer.observe(document, { childList: true, subtree: true })
}

function live(heading: HTMLHeadingElement, start: Status): void {
  const history = new History(start.server.startedAt)
  const panel = new Panel({ period: PERIOD, onPause: () => (timer === null ? void update() : pause()) })
  let latest = start
  let timer: number | null = null
  heading.after(panel.element)
  panel.show(latest, history.samples)
  timer = window.setTimeout(update, FIRST_PERIOD)
  document.addEventListener('visibilitychange', () => {
    if (timer === null) return
    if (document.hidden) clearTimeout(timer)
    else void update()
  })

  async function update(): Promise<void> {
    clearTimeout(timer ?? undefined)
    timer = window.setTimeout(update, PERIOD)
    panel.running()
    try {
      const response = await fetch('?json', { cache: 'no-store', signal: AbortSignal.timeout(2 * PERIOD) })
      if (!response.ok) throw new Error(`the server answers ${response.status}`)
      const next: Status = await response.json()
      if (next.server.startedAt !== latest.server.startedAt) history.clear(next.server.startedAt)
      else history.add(sampleBetween(latest, next))
      latest = next
      panel.show(latest, history.samples)
    } catch (error) {
      panel.failed(reasonOf(error))
    }
  }

  function pause(): void {
    clearTimeout(timer ?? undefined)
    timer = null
    panel.paused()
  }
}

/** fetch throws a TypeError if the server does not respond. */
function reasonOf(error: unknown): string {
  const isSilence = error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')
  return isSilence ? 'the server does not answer' : error instanceof Error ? error.message : String(error)
}
