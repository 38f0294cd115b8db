/** What backends of other protocols than HTTP say; all texts are latin1. */

const FCGI_STDOUT = 6
const FCGI_END = 3
const AJP_BODY = 3
const AJP_HEAD = 4
const AJP_END = 5

/** Whether the bytes that arrived begin a request of FastCGI, AJP, uwsgi or SCGI. */
export function beginsOtherRequest(text: string): boolean {
  return /^(?:\x01\x01|\x124|\x00..\x00|\d+:CONTENT_LENGTH)/s.test(text)
}

/** The bytes of a FastCGI responder that prints this. */
export function fcgiResponse(printed: string): string {
  const records: string[] = []
  for (let at = 0; at < printed.length; at += 0xffff) records.push(fcgiRecord(FCGI_STDOUT, printed.slice(at, at + 0xffff)))
  return [...records, fcgiRecord(FCGI_STDOUT, ''), fcgiRecord(FCGI_END, '\0'.repeat(8))].join('')
}

/** The bytes of an AJP container that answers 200. */
export function ajpResponse(body: string): string {
  const head = `${String.fromCharCode(AJP_HEAD)}${short(200)}${ajpText('OK')}${short(0)}`
  const part = `${String.fromCharCode(AJP_BODY)}${short(body.length)}${body}\0`
  return [head, part, `${String.fromCharCode(AJP_END)}\x01`].map((packet) => `AB${short(packet.length)}${packet}`).join('')
}

/** How many requests packets of AJP contain. */
export function ajpRequests(received: string): number {
  return [...received.matchAll(/\x124..\x02/gs)].length
}

function fcgiRecord(type: number, data: string): string {
  return `\x01${String.fromCharCode(type)}${short(1)}${short(data.length)}\0\0${data}`
}

function ajpText(text: string): string {
  return `${short(text.length)}${text}\0`
}

function short(number: number): string {
  return String.fromCharCode(number >> 8, number & 0xff)
}
