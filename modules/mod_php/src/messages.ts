import type { ModuleLog, Request } from '@gatewright/api'

type Level = 'error' | 'warn' | 'notice' | 'info'

/** Logs what a script has reported, with the levels of mod_php. PHP-FPM joins the messages of a request. */
export function logMessages(request: Request, log: ModuleLog, text: string): void {
  for (const part of text.split(/(?:^|; ?)PHP message: /)) {
    const message = part.replace(/[;\s]+$/, '')
    if (message !== '') log.write(request, levelOf(message), '', message)
  }
}

function levelOf(message: string): Level {
  if (/^PHP (?:\w+ )?(?:[Ee]rror)/.test(message) || message.startsWith('Primary script unknown')) return 'error'
  if (message.startsWith('PHP Deprecated')) return 'info'
  return message.startsWith('PHP Warning') ? 'warn' : 'notice'
}
