import type { PlantedBug } from '../fixtures/planted-module.ts'

const MODULE = 'mod_ssl'
const LAYER = 'connections/tls-layer.ts'
const READER = 'client-hello-reader.ts'

/** By name: bugs of mod_ssl that the fuzzer must find. */
export const PLANTS: Readonly<Record<string, PlantedBug>> = {
  'thrown-name': {
    bug: 'a NUL in the name of the server is an exception that nobody handles',
    module: MODULE,
    file: 'client-hello.ts',
    find: "return text.includes('\\0') ? undefined : text",
    replace: "if (text.includes('\\0')) throw new Error('NUL')\n  return text",
  },
  'left-open': {
    bug: 'a connection is not closed after bytes that are no TLS',
    module: MODULE,
    file: LAYER,
    find: 'if (tls === null) this.#accepted.socket.destroy()\n',
    replace: 'if (tls === null) this.#accepted.socket.setTimeout(0)\n',
  },
  'served-plain': {
    bug: 'plain HTTP on a port of TLS is served',
    module: MODULE,
    file: LAYER,
    find: "this.#parts.connections.set(connection, { kind: 'plain' })\n    sink.ready(socket, PLAIN_REQUEST, 'http')",
    replace: "sink.ready(socket, PLAIN_REQUEST.length > 0 ? this.#reader.bytes() : PLAIN_REQUEST, 'http')",
  },
  'kept-bytes': {
    bug: 'something of each connection is kept',
    module: MODULE,
    file: READER,
    find: 'this.#pieces.push(piece)\n',
    replace:
      "this.#pieces.push(piece)\n    if (this.#pieces.length === 1) {\n      const kept: unknown = Reflect.get(globalThis, 'kept')\n      Reflect.set(globalThis, 'kept', [kept, Buffer.alloc(1 << 20, 1)])\n    }\n",
  },
}
