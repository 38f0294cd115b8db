import type { Request } from '@gatewright/api'

/** Replaces `${NAME}` by environment variables of the request; unknown ones by nothing. */
export function interpolate(request: Request, text: string): string {
  if (!text.includes('${')) return text
  return text.replace(/\$\{([^}]*)\}/g, (_whole, name: string) => request.env.get(name) ?? '')
}
